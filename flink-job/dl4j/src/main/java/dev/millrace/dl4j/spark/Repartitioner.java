package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Shares data out anew. Here the workers take data in turn, so it isn't called. */
@PublicEvolving
public interface Repartitioner extends Serializable {

  /** Returns the same elements, shared out anew. */
  <T> JavaRDD<T> repartition(JavaRDD<T> input, int minObjectsPerPartition, int numExecutors);
}
