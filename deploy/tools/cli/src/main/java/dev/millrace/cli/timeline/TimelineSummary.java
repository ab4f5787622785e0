package dev.millrace.cli.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.cli.timeline.Distribution.Quantiles;
import java.util.List;
import java.util.Map;

/**
 * Timelines of any number of rounds in figures. Times are in milliseconds.
 *
 * @param first version that a round made, and {@code last}
 * @param begin when the first of the rounds was closed, milliseconds since the epoch, and {@code
 *     end}
 * @param roundsPerSecond null where no two rounds follow each other
 * @param roundLatency from a contribution to knowing its round; null where none was awaited
 * @param fitPerStep null where there was no step
 * @param roundDuration between the ends of rounds that follow each other; null where none do
 * @param replicas by their numbers
 * @param shares of all replicas
 * @param meanwhile of all replicas
 * @param slowest null where there is one replica
 * @param advice sentences
 * @param unreadable lines left out
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TimelineSummary(
    long rounds,
    String first,
    String last,
    long begin,
    long end,
    Double roundsPerSecond,
    Quantiles roundLatency,
    Quantiles fitPerStep,
    Quantiles roundDuration,
    List<Replica> replicas,
    Map<Phase, Double> shares,
    Map<Phase, Double> meanwhile,
    Slowest slowest,
    List<String> advice,
    int unreadable) {

  /**
   * One replica.
   *
   * @param contributions that were in a round
   * @param stepTime median of what a step takes it, without waiting and exchange; null without step
   * @param shares of its time, which add up to 1
   * @param meanwhile what went by while it trained, relative to its time
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Replica(
      int replica,
      long contributions,
      long steps,
      Double stepTime,
      Map<Phase, Double> shares,
      Map<Phase, Double> meanwhile) {}

  /**
   * The replica whose steps take longest.
   *
   * @param stepTime see {@link Replica}
   * @param othersStepTime mean of the other replicas'
   * @param othersWait share of their time that the others wait, beyond what it waits itself
   */
  record Slowest(int replica, double stepTime, double othersStepTime, double othersWait) {}
}
