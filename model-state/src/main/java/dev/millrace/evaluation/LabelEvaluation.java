package dev.millrace.evaluation;

import dev.millrace.evaluation.ClassificationResult.Macro;
import dev.millrace.evaluation.MultiLabelResult.LabelResult;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import java.util.stream.IntStream;

/** Evaluates probabilities of labels that don't exclude each other. */
final class LabelEvaluation extends ModelEvaluation {

  private final MeanLoss loss;
  private final LabelDecisions decisions;
  private final OutputScores scores;
  private final StatedPositives positives;

  private LabelEvaluation(
      ExampleShape shape,
      MeanLoss loss,
      LabelDecisions decisions,
      OutputScores scores,
      StatedPositives positives) {
    super(shape, loss, decisions, scores, positives);
    this.loss = loss;
    this.decisions = decisions;
    this.scores = scores;
    this.positives = positives;
  }

  LabelEvaluation(ExampleShape shape) {
    this(
        shape,
        new MeanLoss(shape),
        new LabelDecisions(shape),
        new OutputScores(shape.outputs()),
        new StatedPositives(shape));
  }

  @Override
  public MultiLabelResult result(List<String> names) {
    List<LabelResult> labels =
        IntStream.range(0, shape().outputs()).mapToObj(i -> ofLabel(i, names.get(i))).toList();
    List<LabelResult> present = labels.stream().filter(label -> label.examples() > 0).toList();
    return new MultiLabelResult(
        examples(),
        Ratios.share(decisions.exact(), examples()),
        loss.mean(examples()),
        shape().hasTwoClasses() ? scores.of(shape().positiveOutput()).area() : null,
        positives.normalizedEntropy(loss.mean(examples()), examples()),
        positives.calibrationRatio(),
        new Macro(
            Ratios.mean(present, l -> l.precision() == null ? Double.valueOf(0) : l.precision()),
            Ratios.mean(present, LabelResult::recall),
            Ratios.mean(present, LabelResult::f1),
            Ratios.mean(present, LabelResult::auc)),
        labels);
  }

  private LabelResult ofLabel(int output, String name) {
    long actual = decisions.actual(output);
    long predicted = decisions.predicted(output);
    long truePositives = decisions.truePositives(output);
    long trueNegatives = examples() - actual - predicted + truePositives;
    ScoreHistogram ofLabel = scores.of(output);
    return new LabelResult(
        name,
        actual,
        truePositives,
        predicted - truePositives,
        actual - truePositives,
        trueNegatives,
        Ratios.share(truePositives + trueNegatives, examples()),
        Ratios.share(truePositives, predicted),
        Ratios.share(truePositives, actual),
        Ratios.f1(truePositives, actual, predicted),
        ofLabel.area(),
        ofLabel.margin(),
        ofLabel.curve(),
        decisions.calibration(output));
  }
}
