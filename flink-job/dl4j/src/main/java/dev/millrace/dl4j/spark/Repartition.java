package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** When Spark shares data out anew. Here the workers take data in turn, so it changes nothing. */
@PublicEvolving
public enum Repartition {
  /** Not at all. */
  Never,
  /** Before each training. */
  Always,
  /** Where there are more or fewer partitions than workers. */
  NumPartitionsWorkersDiffers
}
