package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** What carries messages of a parameter server. Here Flink carries them. */
@PublicEvolving
public enum TransportType {
  /** Packets that are routed. */
  ROUTED_UDP,
  /** A class of the program. */
  CUSTOM
}
