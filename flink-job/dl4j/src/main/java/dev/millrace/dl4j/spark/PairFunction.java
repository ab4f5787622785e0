package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Makes a key and its value of an element. */
@PublicEvolving
@FunctionalInterface
public interface PairFunction<T, K, V> extends Serializable {

  /** Does it for one element. */
  Tuple2<K, V> call(T element) throws Exception;
}
