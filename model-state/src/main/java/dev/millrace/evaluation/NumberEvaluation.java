package dev.millrace.evaluation;

import dev.millrace.evaluation.RegressionResult.Mean;
import dev.millrace.evaluation.RegressionResult.Output;
import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import java.util.stream.IntStream;

/** Evaluates predicted numbers. */
final class NumberEvaluation extends ModelEvaluation {

  private final MeanLoss loss;
  private final Errors errors;

  private NumberEvaluation(ExampleShape shape, MeanLoss loss, Errors errors) {
    super(shape, loss, errors);
    this.loss = loss;
    this.errors = errors;
  }

  NumberEvaluation(ExampleShape shape) {
    this(shape, new MeanLoss(shape), new Errors(shape.outputs()));
  }

  @Override
  public RegressionResult result(List<String> names) {
    List<Output> outputs =
        IntStream.range(0, shape().outputs())
            .mapToObj(i -> errors.of(i).result(names.get(i), examples()))
            .toList();
    return new RegressionResult(
        examples(),
        loss.mean(examples()),
        new Mean(
            Ratios.mean(outputs, Output::meanSquaredError),
            Ratios.mean(outputs, Output::rootMeanSquaredError),
            Ratios.mean(outputs, Output::meanAbsoluteError),
            Ratios.mean(outputs, Output::r2),
            Ratios.mean(outputs, Output::correlation)),
        outputs);
  }
}
