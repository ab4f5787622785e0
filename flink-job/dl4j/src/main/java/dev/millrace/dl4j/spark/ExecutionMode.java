package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** What a parameter server does. There is none here. */
@PublicEvolving
public enum ExecutionMode {
  /** It keeps a part of the parameters. */
  SHARDED,
  /** It averages. */
  AVERAGING,
  /** A training master says it. */
  MANAGED
}
