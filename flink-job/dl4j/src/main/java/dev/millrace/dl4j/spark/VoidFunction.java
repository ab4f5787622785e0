package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Does something with an element. */
@PublicEvolving
@FunctionalInterface
public interface VoidFunction<T> extends Serializable {

  /** Does it for one element. */
  void call(T element) throws Exception;
}
