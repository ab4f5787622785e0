package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Makes one thing of two. */
@PublicEvolving
@FunctionalInterface
public interface Function2<A, B, R> extends Serializable {

  /** Does it for one element. */
  R call(A first, B second) throws Exception;
}
