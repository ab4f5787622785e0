package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineRound.Member;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rounds without a restart between them, and so of one schedule: whether replicas train while a
 * round is under way is told by all of them together, because one that lacks examples has time for
 * both, one after the other.
 *
 * <p>Not thread-safe.
 */
final class UninterruptedRounds {

  /** Under a schedule that waits there is none; what fails it must be a few. */
  private static final double LEAST_SHARE = 0.05;

  private final Map<Integer, PhaseTimes> waiting = new TreeMap<>();
  private final Map<Integer, PhaseTimes> overlapping = new TreeMap<>();
  private long members;
  private long overlaps;

  void add(Member member) {
    members++;
    overlaps += member.overlaps() ? 1 : 0;
    sums(waiting, member).add(PhaseTimes.of(member, false));
    sums(overlapping, member).add(PhaseTimes.of(member, true));
  }

  private static PhaseTimes sums(Map<Integer, PhaseTimes> sums, Member member) {
    return sums.computeIfAbsent(member.replica(), replica -> new PhaseTimes());
  }

  boolean overlaps() {
    return overlaps > LEAST_SHARE * members;
  }

  /** Returns the times by replica. */
  Map<Integer, PhaseTimes> times() {
    return overlaps() ? overlapping : waiting;
  }
}
