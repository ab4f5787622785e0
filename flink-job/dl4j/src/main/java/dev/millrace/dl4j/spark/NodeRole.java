package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** What a machine does for a parameter server. There is none here. */
@PublicEvolving
public enum NodeRole {
  /** Nothing is said. */
  NONE,
  /** It keeps parameters. */
  SHARD,
  /** It keeps copies of them. */
  BACKUP,
  /** It trains. */
  CLIENT,
  /** It leads. */
  MASTER
}
