package dev.millrace.dl4j.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.flink.annotation.PublicEvolving;

/** Makes any number of things of one. */
@PublicEvolving
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {

  /** Does it for one element. */
  Iterator<R> call(T element) throws Exception;
}
