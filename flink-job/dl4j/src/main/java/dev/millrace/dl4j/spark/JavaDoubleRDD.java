package dev.millrace.dl4j.spark;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;

/** Numbers. */
@PublicEvolving
public final class JavaDoubleRDD extends JavaRDDLike<Double, JavaDoubleRDD> {

  JavaDoubleRDD(JavaSparkContext context, List<Double> elements, int partitions) {
    super(context, elements, partitions);
  }

  @Override
  JavaDoubleRDD with(List<Double> others, int count) {
    return new JavaDoubleRDD(context(), others, count);
  }

  /** Returns the sum. */
  public double sum() {
    return statistics().getSum();
  }

  /** Returns the mean; NaN where there is no number. */
  public double mean() {
    return isEmpty() ? Double.NaN : statistics().getAverage();
  }

  /** Returns the greatest number; minus infinity where there is none. */
  public double max() {
    return statistics().getMax();
  }

  /** Returns the smallest number; infinity where there is none. */
  public double min() {
    return statistics().getMin();
  }

  private DoubleSummaryStatistics statistics() {
    return elements().stream().mapToDouble(Double::doubleValue).summaryStatistics();
  }
}
