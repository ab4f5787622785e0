package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineRound.Member;
import java.util.EnumMap;
import java.util.Map;

/**
 * Milliseconds by phase, one after the other; and beside them what went by meanwhile, while the
 * replica did something else.
 *
 * <p>Not thread-safe.
 */
final class PhaseTimes {

  private final Map<Phase, Double> inLine = new EnumMap<>(Phase.class);
  private final Map<Phase, Double> meanwhile = new EnumMap<>(Phase.class);

  /**
   * One period of a replica.
   *
   * @param overlapping whether it trains while a round is under way
   */
  static PhaseTimes of(Member member, boolean overlapping) {
    PhaseTimes times = new PhaseTimes();
    times.inLine.put(Phase.FIT, member.fit());
    times.inLine.put(Phase.ENCODE, member.encode());
    times.inLine.put(Phase.APPLY, member.apply());
    if (overlapping) {
      times.meanwhile.put(Phase.WAIT, member.waited());
      times.meanwhile.put(Phase.EXCHANGE, member.exchange());
    } else {
      times.inLine.put(Phase.WAIT, member.waited());
      // A replica that waits takes the global model in before it knows that the round is over.
      times.inLine.put(Phase.EXCHANGE, Math.max(0, member.exchange() - member.apply()));
    }
    times.inLine.put(Phase.OTHER, Math.max(0, member.elapsed() - times.total()));
    return times;
  }

  void add(PhaseTimes more) {
    more.inLine.forEach((phase, millis) -> inLine.merge(phase, millis, Double::sum));
    more.meanwhile.forEach((phase, millis) -> meanwhile.merge(phase, millis, Double::sum));
  }

  double millis(Phase phase) {
    return inLine.getOrDefault(phase, 0.0);
  }

  double meanwhile(Phase phase) {
    return meanwhile.getOrDefault(phase, 0.0);
  }

  /** All of the time, one after the other. */
  double total() {
    return inLine.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Returns the share that each phase has of the total: all phases, and their sum is 1 or 0. */
  Map<Phase, Double> shares() {
    return sharesOf(inLine, Phase.values());
  }

  /** Returns what went by meanwhile, relative to the total; empty where nothing did. */
  Map<Phase, Double> meanwhileShares() {
    return sharesOf(meanwhile, meanwhile.keySet().toArray(Phase[]::new));
  }

  private Map<Phase, Double> sharesOf(Map<Phase, Double> times, Phase... phases) {
    double total = total();
    Map<Phase, Double> shares = new EnumMap<>(Phase.class);
    for (Phase phase : phases) {
      shares.put(phase, total > 0 ? times.getOrDefault(phase, 0.0) / total : 0.0);
    }
    return shares;
  }
}
