package dev.millrace.model;

import dev.millrace.model.io.WireFormat;
import dev.millrace.model.score.ScoreCounts;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Sums over evaluated examples, from which accuracy, loss and errors follow. Measures of disjoint
 * examples merge by addition.
 *
 * <p>The loss is the task's own, whatever the model is trained with, so that runs can be compared:
 * negative log-likelihood for classification, mean binary cross-entropy over the outputs for
 * multi-label, mean squared error over the outputs for regression.
 *
 * <p>Where examples are positive or negative ({@link ExampleShape#hasTwoClasses}) the scores are
 * counted, too. {@link MeasuresSum} does.
 *
 * @param examples number of examples evaluated
 * @param correct examples whose predicted class (or whole label set) was right
 * @param loss sum of losses
 * @param absoluteError sum over examples of the mean absolute error over the outputs
 * @param squaredError sum over examples of the mean squared error over the outputs
 * @param stated sum of the probabilities with which examples were predicted to be positive; 0 where
 *     scores aren't counted
 * @param scores the same probabilities, counted by bins; none where examples aren't positive or
 *     negative
 */
public record Measures(
    long examples,
    long correct,
    double loss,
    double absoluteError,
    double squaredError,
    double stated,
    ScoreCounts scores)
    implements Serializable {

  public static final Measures NONE = new Measures(0, 0, 0, 0, 0);
  public static final WireFormat<Measures> WIRE = new MeasuresWire();

  private static final double LEAST_PROBABILITY = 1e-7;

  /** Measures of examples whose scores aren't counted. */
  public Measures(
      long examples, long correct, double loss, double absoluteError, double squaredError) {
    this(examples, correct, loss, absoluteError, squaredError, 0, ScoreCounts.NONE);
  }

  /**
   * Measures {@code rows} predictions against their labels, both row-major with {@code
   * shape.outputs()} columns. Scores aren't counted.
   */
  public static Measures of(ExampleShape shape, float[] predictions, float[] labels, int rows) {
    long correct = 0;
    double loss = 0;
    double absolute = 0;
    double squared = 0;
    int outputs = shape.outputs();
    for (int row = 0, at = 0; row < rows; row++, at += outputs) {
      double rowAbsolute = 0;
      double rowSquared = 0;
      for (int i = at; i < at + outputs; i++) {
        double difference = predictions[i] - labels[i];
        rowAbsolute += Math.abs(difference);
        rowSquared += difference * difference;
      }
      absolute += rowAbsolute / outputs;
      squared += rowSquared / outputs;
      correct += isCorrect(shape, predictions, labels, at) ? 1 : 0;
      loss += loss(shape, predictions, labels, at);
    }
    return new Measures(rows, correct, loss, absolute, squared);
  }

  /**
   * Measures predictions for examples of any structure. Each step with labels of its own counts as
   * an example. Of several outputs only the first is measured. Scores aren't counted.
   *
   * @param predictions rows of {@code shape.labels()}, as {@link ModelReplica} gives them
   * @param labels as predictions
   * @param stepsOrNull steps of each row's sequence; null where examples are none
   */
  public static Measures of(
      ExampleShape shape, float[] predictions, float[] labels, int[] stepsOrNull, int rows) {
    ExampleShape measured = shape.measured();
    if (!shape.structure().labelPerStep() && measured.outputs() == shape.outputs()) {
      return of(measured, predictions, labels, rows);
    }
    int width = measured.outputs();
    float[] predicted = new float[shape.rows() * width];
    float[] expected = new float[shape.rows() * width];
    Measures sum = NONE;
    for (int row = 0; row < rows; row++) {
      int steps = shape.structure().labelPerStep() ? stepsOrNull[row] : 1;
      for (int step = 0; step < steps; step++) {
        int from = row * shape.labels() + step * shape.outputs();
        System.arraycopy(predictions, from, predicted, step * width, width);
        System.arraycopy(labels, from, expected, step * width, width);
      }
      sum = sum.plus(of(measured, predicted, expected, steps));
    }
    return sum;
  }

  /** The loss of one example, whose predictions and labels begin at {@code at}. */
  public static double loss(ExampleShape shape, float[] predictions, float[] labels, int at) {
    int outputs = shape.outputs();
    return switch (shape.target()) {
      case CLASSIFICATION -> -logOf(predictions[at + greatest(labels, at, outputs)]);
      case MULTI_LABEL -> binaryCrossEntropy(predictions, labels, at, outputs);
      case REGRESSION -> meanSquaredError(predictions, labels, at, outputs);
    };
  }

  /**
   * Whether the predicted class, or the whole set of labels, is right; never for regression.
   *
   * @param at where the example's predictions and labels begin
   */
  public static boolean isCorrect(ExampleShape shape, float[] predictions, float[] labels, int at) {
    int outputs = shape.outputs();
    return switch (shape.target()) {
      case CLASSIFICATION -> greatest(predictions, at, outputs) == greatest(labels, at, outputs);
      case MULTI_LABEL -> sameSet(predictions, labels, at, outputs);
      case REGRESSION -> false;
    };
  }

  public Measures plus(Measures other) {
    return new Measures(
        examples + other.examples,
        correct + other.correct,
        loss + other.loss,
        absoluteError + other.absoluteError,
        squaredError + other.squaredError,
        stated + other.stated,
        scores.plus(other.scores));
  }

  /** Returns the same sums with other scores. */
  public Measures withScores(ScoreCounts other) {
    return new Measures(examples, correct, loss, absoluteError, squaredError, stated, other);
  }

  /** Returns the same sums without scores; these where they have none. */
  public Measures withoutScores() {
    return scores.isEmpty() ? this : withScores(ScoreCounts.NONE);
  }

  /** Share of examples predicted right; NaN where none was evaluated. */
  public double accuracy() {
    return (double) correct / examples;
  }

  public double meanLoss() {
    return loss / examples;
  }

  public double meanAbsoluteError() {
    return absoluteError / examples;
  }

  public double rootMeanSquaredError() {
    return Math.sqrt(squaredError / examples);
  }

  /**
   * The area under the ROC curve; NaN unless there are both positive and negative examples, and the
   * scores of all are counted.
   */
  public double auc() {
    return allAreScored() ? scores.area() : Double.NaN;
  }

  /**
   * The mean loss, relative to that of always predicting the share of positive examples (He et al.,
   * Practical Lessons from Predicting Clicks on Ads at Facebook, 2014): below 1 for a model that
   * says more than that share. NaN as {@link #auc} is.
   */
  public double normalizedEntropy() {
    return allAreScored() ? meanLoss() / entropy(scores.positives(), examples) : Double.NaN;
  }

  /**
   * The positive examples that were predicted, relative to those that came: above 1 where a model
   * states too high probabilities. NaN where no positive example came, or not all scores are
   * counted.
   */
  public double calibrationRatio() {
    return allAreScored() ? calibrationRatio(stated, scores.positives()) : Double.NaN;
  }

  /** Returns what {@link #calibrationRatio()} does, of sums. */
  public static double calibrationRatio(double stated, long positives) {
    return positives == 0 ? Double.NaN : stated / positives;
  }

  /**
   * The mean loss of always predicting the share of positive examples; NaN where all examples or
   * none are positive, as then there is nothing to predict.
   */
  public static double entropy(long positives, long examples) {
    double share = (double) positives / examples;
    return positives == 0 || positives == examples
        ? Double.NaN
        : -share * Math.log(share) - (1 - share) * Math.log1p(-share);
  }

  private boolean allAreScored() {
    return !scores.isEmpty() && scores.examples() == examples;
  }

  /** The class of one example: the index of the greatest value, the first of several. */
  public static int greatest(float[] values, int from, int length) {
    int best = 0;
    for (int i = 1; i < length; i++) {
      if (values[from + i] > values[from + best]) {
        best = i;
      }
    }
    return best;
  }

  private static boolean sameSet(float[] predictions, float[] labels, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if ((predictions[i] >= 0.5f) != (labels[i] >= 0.5f)) {
        return false;
      }
    }
    return true;
  }

  private static double binaryCrossEntropy(float[] predictions, float[] labels, int from, int n) {
    double sum = 0;
    for (int i = from; i < from + n; i++) {
      sum -= labels[i] * logOf(predictions[i]) + (1 - labels[i]) * logOf(1 - predictions[i]);
    }
    return sum / n;
  }

  private static double meanSquaredError(float[] predictions, float[] labels, int from, int n) {
    double sum = 0;
    for (int i = from; i < from + n; i++) {
      double difference = predictions[i] - labels[i];
      sum += difference * difference;
    }
    return sum / n;
  }

  private static double logOf(double probability) {
    return Math.log(Math.max(probability, LEAST_PROBABILITY));
  }

  private static final class MeasuresWire implements WireFormat<Measures>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Measures measures, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(measures.examples);
      out.writeLong(measures.correct);
      out.writeDouble(measures.loss);
      out.writeDouble(measures.absoluteError);
      out.writeDouble(measures.squaredError);
      out.writeDouble(measures.stated);
      ScoreCounts.WIRE.write(measures.scores, out);
    }

    @Override
    public Measures read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Measures.class);
      return new Measures(
          in.readLong(),
          in.readLong(),
          in.readDouble(),
          in.readDouble(),
          in.readDouble(),
          in.readDouble(),
          ScoreCounts.WIRE.read(in));
    }
  }
}
