package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** How Spark feeds its workers. It changes nothing here. */
@PublicEvolving
public enum RDDTrainingApproach {
  /** Minibatches go by files. */
  Export,
  /** Minibatches go by collections. */
  Direct
}
