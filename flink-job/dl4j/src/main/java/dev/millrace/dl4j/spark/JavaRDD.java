package dev.millrace.dl4j.spark;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A collection, as programs on Spark have it.
 *
 * @param <T> the elements
 */
@PublicEvolving
public final class JavaRDD<T> extends JavaRDDLike<T, JavaRDD<T>> {

  JavaRDD(JavaSparkContext context, List<T> elements, int partitions) {
    super(context, elements, partitions);
  }

  @Override
  JavaRDD<T> with(List<T> others, int count) {
    return new JavaRDD<>(context(), others, count);
  }

  /** Shares the elements out at random, by weights. */
  public JavaRDD<T>[] randomSplit(double[] weights) {
    return randomSplit(weights, ThreadLocalRandom.current().nextLong());
  }

  /** Shares the elements out at random, by weights, and the same way for the same seed. */
  @SuppressWarnings("unchecked") // An array of a generic type.
  public JavaRDD<T>[] randomSplit(double[] weights, long seed) {
    return split(weights, seed).toArray(JavaRDD[]::new);
  }

  /** Returns this one: there is one kind of collection. */
  public JavaRDD<T> rdd() {
    return this;
  }

  /** Returns this one. */
  public JavaRDD<T> toJavaRDD() {
    return this;
  }
}
