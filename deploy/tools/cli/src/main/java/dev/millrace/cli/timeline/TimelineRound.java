package dev.millrace.cli.timeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * One round as its metric record tells of it; docs/internals/formats.md describes the record.
 *
 * @param time at which it was closed, milliseconds since the epoch
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record TimelineRound(long generation, long round, long time, List<Member> members) {

  /** The share by which clocks and rounding may make the parts exceed the whole. */
  private static final double TOLERANCE = 0.01;

  private static final double TOLERANCE_MILLIS = 0.05;

  TimelineRound {
    members = List.copyOf(members);
  }

  String version() {
    return generation + "." + round;
  }

  /**
   * What a replica did from its contribution before to this one, in milliseconds.
   *
   * @param waited for others to announce theirs, of the latency of the contribution before
   * @param exchange the rest of that latency
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Member(
      int replica,
      long sequence,
      int steps,
      double fit,
      double encode,
      @JsonProperty("wait") double waited,
      double exchange,
      double apply,
      double elapsed) {

    Member {
      for (double millis : new double[] {fit, encode, waited, exchange, apply, elapsed}) {
        if (!(millis >= 0 && millis <= Long.MAX_VALUE)) {
          throw new IllegalArgumentException("%s is no time".formatted(millis));
        }
      }
    }

    /** Returns the time from sending the contribution before to knowing its round. */
    double latency() {
      return waited + exchange;
    }

    /** Whether it must have trained while that went by: one after the other takes longer. */
    boolean overlaps() {
      return fit + encode + latency() > elapsed * (1 + TOLERANCE) + TOLERANCE_MILLIS;
    }

    /** Its own share of the period: without waiting and exchange, where they kept it. */
    double own() {
      return overlaps() ? Math.max(0, elapsed - apply) : Math.max(0, elapsed - latency());
    }
  }
}
