package dev.millrace.dl4j.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Values with keys, which may come more than once.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@PublicEvolving
public final class JavaPairRDD<K, V> extends JavaRDDLike<Tuple2<K, V>, JavaPairRDD<K, V>> {

  JavaPairRDD(JavaSparkContext context, List<Tuple2<K, V>> elements, int partitions) {
    super(context, elements, partitions);
  }

  @Override
  JavaPairRDD<K, V> with(List<Tuple2<K, V>> others, int count) {
    return new JavaPairRDD<>(context(), others, count);
  }

  /** Returns a collection of tuples as one of keys with values. */
  public static <K, V> JavaPairRDD<K, V> fromJavaRDD(JavaRDD<Tuple2<K, V>> tuples) {
    return new JavaPairRDD<>(tuples.context(), tuples.elements(), tuples.getNumPartitions());
  }

  /** Returns the values by their keys: of each key the last one. */
  public Map<K, V> collectAsMap() {
    Map<K, V> map = new LinkedHashMap<>();
    elements().forEach(pair -> map.put(pair._1(), pair._2()));
    return map;
  }

  /** Returns the keys, one for each value. */
  public JavaRDD<K> keys() {
    return map(Tuple2::_1);
  }

  /** Returns the values. */
  public JavaRDD<V> values() {
    return map(Tuple2::_2);
  }

  /** Makes a value of each, with the same key. */
  public <R> JavaPairRDD<K, R> mapValues(Function<V, R> function) {
    return mapToPair(pair -> new Tuple2<>(pair._1(), function.call(pair._2())));
  }

  /** Returns other values with the same keys, in their order. */
  <R> JavaPairRDD<K, R> withValues(List<R> values) {
    int[] next = {0};
    return mapValues(value -> values.get(next[0]++));
  }
}
