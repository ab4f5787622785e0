package dev.millrace.api;

import java.util.Locale;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Named ways in which replicas exchange what they learn; docs/internals/exchange.md describes them.
 */
@PublicEvolving
public enum ExchangePreset {
  /** Every few local steps all replicas wait, and go on with the mean. */
  PARAMETER_AVERAGING,
  /** Every few local steps the mean is made, and replicas train on meanwhile. */
  OVERLAP_AVERAGING,
  /** Each step's greatest changes go to all replicas. */
  GRADIENT_SHARING,
  /** Many local steps, few bits, momentum over rounds. */
  LOW_COMMUNICATION,
  /** Many local steps, and a few of their changes in two bits each. */
  SPARSE_COMMUNICATION;

  /** Returns the name as the option has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
