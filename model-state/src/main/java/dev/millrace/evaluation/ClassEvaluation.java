package dev.millrace.evaluation;

import dev.millrace.evaluation.ClassificationResult.ClassResult;
import dev.millrace.evaluation.ClassificationResult.Macro;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import java.util.stream.IntStream;

/** Evaluates probabilities of classes. */
final class ClassEvaluation extends ModelEvaluation {

  private final MeanLoss loss;
  private final Confusion confusion;
  private final OutputScores scores;
  private final TopConfidence confidence;
  private final StatedPositives positives;

  private ClassEvaluation(
      ExampleShape shape,
      MeanLoss loss,
      Confusion confusion,
      OutputScores scores,
      TopConfidence confidence,
      StatedPositives positives) {
    super(shape, loss, confusion, scores, confidence, positives);
    this.loss = loss;
    this.confusion = confusion;
    this.scores = scores;
    this.confidence = confidence;
    this.positives = positives;
  }

  ClassEvaluation(ExampleShape shape) {
    this(
        shape,
        new MeanLoss(shape),
        new Confusion(shape.outputs()),
        new OutputScores(shape.outputs()),
        new TopConfidence(shape.outputs()),
        new StatedPositives(shape));
  }

  @Override
  public ClassificationResult result(List<String> names) {
    List<ClassResult> classes =
        IntStream.range(0, shape().outputs()).mapToObj(i -> ofClass(i, names.get(i))).toList();
    List<ClassResult> present = classes.stream().filter(c -> c.examples() > 0).toList();
    return new ClassificationResult(
        examples(),
        Ratios.share(confusion.correct(), examples()),
        loss.mean(examples()),
        shape().hasTwoClasses() ? scores.of(shape().positiveOutput()).area() : null,
        positives.normalizedEntropy(loss.mean(examples()), examples()),
        positives.calibrationRatio(),
        new Macro(
            Ratios.mean(present, c -> c.precision() == null ? Double.valueOf(0) : c.precision()),
            Ratios.mean(present, ClassResult::recall),
            Ratios.mean(present, ClassResult::f1),
            Ratios.mean(present, ClassResult::auc)),
        confidence.result(),
        classes,
        confusion.matrix());
  }

  private ClassResult ofClass(int label, String name) {
    long actual = confusion.actual(label);
    long predicted = confusion.predicted(label);
    long correct = confusion.correct(label);
    ScoreHistogram ofClass = scores.of(label);
    return new ClassResult(
        name,
        actual,
        predicted,
        correct,
        Ratios.share(correct, predicted),
        Ratios.share(correct, actual),
        Ratios.f1(correct, actual, predicted),
        ofClass.area(),
        ofClass.margin(),
        ofClass.curve());
  }
}
