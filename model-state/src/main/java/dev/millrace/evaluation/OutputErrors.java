package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/**
 * The errors of one output of a regression. Variances come from sums of squares: at the precision
 * of {@link CompensatedSum} nothing is lost by that, however large the mean.
 */
final class OutputErrors {

  private final CompensatedSum labels = new CompensatedSum();
  private final CompensatedSum predictions = new CompensatedSum();
  private final CompensatedSum squaredLabels = new CompensatedSum();
  private final CompensatedSum squaredPredictions = new CompensatedSum();
  private final CompensatedSum products = new CompensatedSum();
  private final CompensatedSum squaredErrors = new CompensatedSum();
  private final CompensatedSum absoluteErrors = new CompensatedSum();
  private final List<CompensatedSum> all =
      List.of(
          labels,
          predictions,
          squaredLabels,
          squaredPredictions,
          products,
          squaredErrors,
          absoluteErrors);
  private final ErrorHistogram histogram = new ErrorHistogram();

  void add(double prediction, double label) {
    double error = prediction - label;
    labels.add(label);
    predictions.add(prediction);
    squaredLabels.add(label * label);
    squaredPredictions.add(prediction * prediction);
    products.add(prediction * label);
    squaredErrors.add(error * error);
    absoluteErrors.add(Math.abs(error));
    histogram.add((float) Math.abs(error));
  }

  RegressionResult.Output result(String name, long examples) {
    double ofLabels = scaledVariance(squaredLabels, labels, examples);
    double ofPredictions = scaledVariance(squaredPredictions, predictions, examples);
    Double meanSquared = Ratios.mean(squaredErrors, examples);
    Double unexplained = Ratios.of(squaredErrors.value() * examples, ofLabels);
    Double correlation =
        Ratios.of(
            scaledCovariance(products, predictions, labels, examples),
            Math.sqrt(ofLabels) * Math.sqrt(ofPredictions));
    return new RegressionResult.Output(
        name,
        meanSquared,
        meanSquared == null ? null : Math.sqrt(meanSquared),
        Ratios.mean(absoluteErrors, examples),
        unexplained == null ? null : 1 - unexplained,
        correlation == null ? null : Math.max(-1, Math.min(1, correlation)),
        Ratios.mean(labels, examples),
        Ratios.mean(predictions, examples),
        histogram.quantiles());
  }

  private static double scaledVariance(CompensatedSum squares, CompensatedSum sum, long examples) {
    return Math.max(0, scaledCovariance(squares, sum, sum, examples));
  }

  /** The covariance times the square of the number of examples. */
  private static double scaledCovariance(
      CompensatedSum products, CompensatedSum one, CompensatedSum other, long examples) {
    return products
        .exact()
        .multiply(BigDecimal.valueOf(examples))
        .subtract(one.exact().multiply(other.exact()))
        .doubleValue();
  }

  void merge(OutputErrors other) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).add(other.all.get(i));
    }
    histogram.merge(other.histogram);
  }

  void write(DataOutput out) throws IOException {
    for (CompensatedSum sum : all) {
      sum.write(out);
    }
    histogram.write(out);
  }

  void read(DataInput in) throws IOException {
    for (CompensatedSum sum : all) {
      sum.read(in);
    }
    histogram.read(in);
  }
}
