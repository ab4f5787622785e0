package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.model.ModelVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Times rounds where they are decided: what replicas say of themselves, and how long each had to
 * wait for the others. Nothing of it is part of a checkpoint.
 *
 * <p>Not thread-safe.
 */
public final class RoundClock {

  /** One slow contribution is forgotten over about so many others. */
  private static final long FORGETTING = 5;

  private record Key(int replica, long sequence) {}

  private record Arrival(long nanos, Phases phases, ContributionFacts facts) {}

  private final Map<Key, Arrival> arrivals = new HashMap<>();

  /** How long each replica's newest contribution in a round waited for the round to close. */
  private final Map<Integer, Long> waits = new HashMap<>();

  /** How long each replica usually needs for what comes before a contribution, in nanoseconds. */
  private final Map<Integer, Long> usual = new HashMap<>();

  /** How many records wait behind those that each replica's source has read. */
  private final Map<Integer, Long> pending = new HashMap<>();

  private final StepTimes steps = new StepTimes();
  private boolean straggler;

  private RoundCost cost = RoundCost.UNKNOWN;

  /** {@code nanos} as {@link System#nanoTime}. */
  public void announced(Announcement announcement, long nanos) {
    arrivals.put(
        new Key(announcement.replica(), announcement.sequence()),
        new Arrival(nanos, announcement.phases(), announcement.facts()));
    pending.put(announcement.replica(), announcement.facts().pending());
    // Not what it waited for examples: nobody is to wait for these.
    Phases phases = announcement.phases();
    steps.add(announcement.replica(), phases);
    usual.merge(
        announcement.replica(),
        phases.fit() + phases.encode() + phases.apply(),
        (before, newest) -> newest > before ? newest : before - (before - newest) / FORGETTING);
  }

  /** A replica is idle or has ended: rounds don't wait for it, until it announces again. */
  void away(int replica) {
    usual.remove(replica);
    pending.remove(replica);
    steps.forget(replica);
    straggler = straggler && steps.haveStraggler();
  }

  /**
   * A round has been closed.
   *
   * @param time in milliseconds since the epoch
   */
  public RoundTimeline closed(ModelVersion version, List<Member> members, long nanos, long time) {
    List<RoundTimeline.Part> parts = new ArrayList<>();
    for (Member member : members) {
      Arrival arrival = arrivals.remove(new Key(member.replica(), member.sequence()));
      if (arrival != null) {
        // Its latency is that of the contribution before: so is the wait that goes with it.
        Long waited = waits.put(member.replica(), nanos - arrival.nanos());
        parts.add(
            new RoundTimeline.Part(
                member.replica(),
                member.sequence(),
                arrival.phases(),
                waited == null ? 0 : Math.min(waited, arrival.phases().latency()),
                arrival.facts()));
      }
    }
    observe(parts);
    straggler = steps.haveStraggler();
    return new RoundTimeline(version, time, parts);
  }

  private void observe(List<RoundTimeline.Part> parts) {
    double step = 0;
    double handling = 0;
    double transit = 0;
    for (RoundTimeline.Part part : parts) {
      Phases phases = part.phases();
      if (phases.steps() > 0) {
        step = Math.max(step, (double) phases.fit() / phases.steps());
        handling = Math.max(handling, (double) phases.encode() + phases.apply());
        transit = Math.max(transit, (double) part.exchange());
      }
    }
    if (step > 0) {
      cost = cost.and(new RoundCost(step, handling, transit));
    }
  }

  /**
   * Returns how long the slowest replica usually needs for its local steps, waiting left aside. A
   * replica that becomes slower is slow at once, and one that becomes faster is believed later.
   */
  public Duration usualSteps() {
    return Duration.ofNanos(usual.values().stream().mapToLong(Long::longValue).max().orElse(0));
  }

  /** Whether a replica stayed far slower than the others, when the newest round was closed. */
  public boolean hasStraggler() {
    return straggler;
  }

  /** Records that all sources have yet to read, as far as is known; else -1. */
  long pending() {
    return pending.values().stream()
        .filter(records -> records >= 0)
        .reduce(Long::sum)
        .orElse(ContributionFacts.UNKNOWN);
  }

  /** Returns what rounds cost of late. */
  public RoundCost cost() {
    return cost;
  }
}
