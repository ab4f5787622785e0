package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Makes one thing of another. */
@PublicEvolving
@FunctionalInterface
public interface Function<T, R> extends Serializable {

  /** Does it for one element. */
  R call(T element) throws Exception;
}
