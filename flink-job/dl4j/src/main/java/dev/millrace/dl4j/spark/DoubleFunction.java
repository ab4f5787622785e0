package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Makes a number of an element. */
@PublicEvolving
@FunctionalInterface
public interface DoubleFunction<T> extends Serializable {

  /** Does it for one element. */
  double call(T element) throws Exception;
}
