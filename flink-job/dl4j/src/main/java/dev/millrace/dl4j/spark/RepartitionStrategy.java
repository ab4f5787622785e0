package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** How Spark shares data out anew. Here the workers take data in turn, so it changes nothing. */
@PublicEvolving
public enum RepartitionStrategy {
  /** Hashes choose the partition. */
  SparkDefault,
  /** Evenly. */
  Balanced,
  /** Nearly evenly. */
  ApproximateBalanced
}
