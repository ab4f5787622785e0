package dev.millrace.evaluation;

import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * Measures predictions against labels, in one pass and in memory that doesn't grow with the
 * examples: per output about 64 KB, and the square of the number of classes up to 1,000.
 *
 * <p>Evaluations of disjoint examples merge; the result doesn't depend on their number, nor on the
 * order of anything.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class ModelEvaluation
    permits ClassEvaluation, LabelEvaluation, NumberEvaluation {

  private static final int VERSION = 1;

  private final ExampleShape shape;
  private final List<RowMeasure> measures;
  private long examples;
  private long unusable;

  /**
   * @param measures each is given every example
   */
  ModelEvaluation(ExampleShape shape, RowMeasure... measures) {
    this.shape = shape;
    this.measures = List.of(measures);
  }

  /** One that has seen no example yet. */
  public static ModelEvaluation of(ExampleShape shape) {
    return switch (shape.target()) {
      case CLASSIFICATION -> new ClassEvaluation(shape);
      case MULTI_LABEL -> new LabelEvaluation(shape);
      case REGRESSION -> new NumberEvaluation(shape);
    };
  }

  /**
   * Takes in examples; allocates nothing.
   *
   * @param predictions row-major, {@code shape.outputs()} columns
   * @param labels row-major, as {@link dev.millrace.model.Minibatch} has them, finite
   * @param rows how many of them count
   */
  public final void add(float[] predictions, float[] labels, int rows) {
    int outputs = shape.outputs();
    for (int row = 0, at = 0; row < rows; row++, at += outputs) {
      if (isFinite(predictions, at, outputs)) {
        examples++;
        for (RowMeasure measure : measures) {
          measure.add(predictions, labels, at);
        }
      } else {
        unusable++;
      }
    }
  }

  private static boolean isFinite(float[] values, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (!Float.isFinite(values[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes in all that another has, which stays as it is.
   *
   * @throws IllegalArgumentException if it is of examples of another shape
   */
  public final void merge(ModelEvaluation other) {
    if (!shape.equals(other.shape)) {
      throw new IllegalArgumentException(
          "Evaluations of %s and of %s can't be merged".formatted(shape, other.shape));
    }
    examples += other.examples;
    unusable += other.unusable;
    for (int i = 0; i < measures.size(); i++) {
      measures.get(i).merge(other.measures.get(i));
    }
  }

  /** Examples that were measured. */
  public final long examples() {
    return examples;
  }

  /** Examples that aren't measured, because a prediction was no finite number. */
  public final long unusable() {
    return unusable;
  }

  public final ExampleShape shape() {
    return shape;
  }

  /**
   * Returns what the examples so far say.
   *
   * @param names of the outputs, one each
   */
  public abstract EvaluationResult result(List<String> names);

  /** Returns how evaluations of one shape become bytes. */
  public static WireFormat<ModelEvaluation> wire(ExampleShape shape) {
    return new Wire(shape);
  }

  private record Wire(ExampleShape shape) implements WireFormat<ModelEvaluation> {

    @Override
    public void write(ModelEvaluation evaluation, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(evaluation.examples);
      out.writeLong(evaluation.unusable);
      for (RowMeasure measure : evaluation.measures) {
        measure.write(out);
      }
    }

    @Override
    public ModelEvaluation read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ModelEvaluation.class);
      ModelEvaluation evaluation = of(shape);
      evaluation.examples = in.readLong();
      evaluation.unusable = in.readLong();
      for (RowMeasure measure : evaluation.measures) {
        measure.read(in);
      }
      return evaluation;
    }
  }
}
