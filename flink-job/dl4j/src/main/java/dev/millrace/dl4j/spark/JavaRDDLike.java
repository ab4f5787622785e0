package dev.millrace.dl4j.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.annotation.PublicEvolving;

/**
 * A collection of this process, with what Spark's collections of all kinds do. Functions are called
 * at once, on the thread of the caller, in order. It can't be changed.
 *
 * @param <T> the elements
 * @param <S> the kind of collection
 */
@PublicEvolving
public abstract class JavaRDDLike<T, S extends JavaRDDLike<T, S>> {

  private final JavaSparkContext context;
  private final List<T> elements;
  private final int partitions;

  JavaRDDLike(JavaSparkContext context, List<T> elements, int partitions) {
    this.context = context;
    this.elements = elements;
    this.partitions = partitions;
  }

  /** Returns a collection of the same kind. */
  abstract S with(List<T> others, int count);

  /** Returns the elements themselves, which may be read only now. */
  final List<T> elements() {
    return elements;
  }

  /** Returns where it was made. */
  public final JavaSparkContext context() {
    return context;
  }

  /** Returns the elements. */
  public final List<T> collect() {
    return new ArrayList<>(elements);
  }

  /** Returns how many there are. */
  public final long count() {
    return elements.size();
  }

  /** Whether there is none. */
  public final boolean isEmpty() {
    return elements.isEmpty();
  }

  /**
   * Returns the first element.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public final T first() {
    return elements.get(0);
  }

  /** Returns the first elements, at most so many. */
  public final List<T> take(int count) {
    return new ArrayList<>(elements.subList(0, Math.min(count, elements.size())));
  }

  /** Does something with each element. */
  public final void foreach(VoidFunction<T> function) {
    for (T element : elements) {
      Calls.call(
          () -> {
            function.call(element);
            return null;
          });
    }
  }

  /** Makes an element of each. */
  public final <R> JavaRDD<R> map(Function<T, R> function) {
    return new JavaRDD<>(context, mapped(function), partitions);
  }

  /** Makes a key and a value of each element. */
  public final <K, V> JavaPairRDD<K, V> mapToPair(PairFunction<T, K, V> function) {
    return new JavaPairRDD<>(context, mapped(function::call), partitions);
  }

  /** Makes a number of each element. */
  public final JavaDoubleRDD mapToDouble(DoubleFunction<T> function) {
    return new JavaDoubleRDD(context, mapped(function::call), partitions);
  }

  private <R> List<R> mapped(Function<T, R> function) {
    List<R> results = new ArrayList<>();
    for (T element : elements) {
      results.add(Calls.call(() -> function.call(element)));
    }
    return results;
  }

  /** Makes any number of elements of each. */
  public final <R> JavaRDD<R> flatMap(FlatMapFunction<T, R> function) {
    List<R> results = new ArrayList<>();
    for (T element : elements) {
      Calls.call(() -> function.call(element)).forEachRemaining(results::add);
    }
    return new JavaRDD<>(context, results, partitions);
  }

  /**
   * Makes one element of all.
   *
   * @throws UnsupportedOperationException if there is none
   */
  public final T reduce(Function2<T, T, T> function) {
    return elements.stream()
        .reduce((one, other) -> Calls.call(() -> function.call(one, other)))
        .orElseThrow(() -> new UnsupportedOperationException("There is no element to reduce"));
  }

  /** Keeps the elements for which a function is true. */
  public final S filter(Function<T, Boolean> function) {
    List<T> kept = new ArrayList<>();
    for (T element : elements) {
      if (Calls.call(() -> function.call(element))) {
        kept.add(element);
      }
    }
    return with(kept, partitions);
  }

  /** Adds the elements of another collection behind its own. */
  public final S union(S other) {
    List<T> both = new ArrayList<>(elements);
    both.addAll(other.elements());
    return with(both, partitions + other.getNumPartitions());
  }

  /** Shares the elements out at random: each goes to one collection, by the weights. */
  final List<S> split(double[] weights, long seed) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    List<List<T>> parts = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      parts.add(new ArrayList<>());
    }
    Random random = new Random(seed);
    for (T element : elements) {
      double left = random.nextDouble() * sum;
      int part = 0;
      while (part < weights.length - 1 && left >= weights[part]) {
        left -= weights[part++];
      }
      parts.get(part).add(element);
    }
    return parts.stream().map(part -> with(part, partitions)).toList();
  }

  /** Returns the number that was asked for; workers share the elements whatever it is. */
  public final int getNumPartitions() {
    return partitions;
  }

  /** Returns the same elements. */
  public final S repartition(int count) {
    return with(elements, count);
  }

  /** Returns the same elements. */
  public final S coalesce(int count) {
    return with(elements, Math.min(count, partitions));
  }

  /** Returns the same elements, which are in memory anyway. */
  public final S cache() {
    return with(elements, partitions);
  }

  /** Returns the same elements, which are in memory anyway. */
  public final S persist(StorageLevel level) {
    return with(elements, partitions);
  }

  /** Returns the same elements. */
  public final S unpersist() {
    return with(elements, partitions);
  }
}
