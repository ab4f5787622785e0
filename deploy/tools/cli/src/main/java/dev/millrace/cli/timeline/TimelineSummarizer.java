package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineRound.Member;
import dev.millrace.cli.timeline.TimelineSummary.Replica;
import dev.millrace.cli.timeline.TimelineSummary.Slowest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums rounds up, in memory that doesn't grow with their number.
 *
 * <p>Not thread-safe.
 */
final class TimelineSummarizer {

  private final int lastRounds;
  private final Map<Integer, Account> accounts = new TreeMap<>();
  private final PhaseTimes all = new PhaseTimes();
  private final Distribution latency = new Distribution();
  private final Distribution fitPerStep = new Distribution();
  private final Distribution duration = new Distribution();

  /** The latest rounds of the stretch that goes on. */
  private final Deque<TimelineRound> latest = new ArrayDeque<>();

  private UninterruptedRounds stretch = new UninterruptedRounds();
  private long rounds;
  private long timed;
  private double timedMillis;
  private TimelineRound first;
  private TimelineRound previous;

  /** The sums of one replica, over all rounds. */
  private static final class Account {

    private final PhaseTimes times = new PhaseTimes();
    private final Distribution step = new Distribution();
    private long contributions;
    private long steps;

    private Double stepTime() {
      return step.quantiles().map(Distribution.Quantiles::median).orElse(null);
    }
  }

  /** {@code lastRounds}: how many to keep whole. */
  TimelineSummarizer(int lastRounds) {
    this.lastRounds = lastRounds;
  }

  void add(TimelineRound round) {
    if (previous == null) {
      first = round;
    } else if (!follows(round)) {
      endStretch();
    } else if (round.round() == previous.round() + 1) {
      timed++;
      double millis = (double) (round.time() - previous.time());
      timedMillis += millis;
      duration.add(millis);
    }
    rounds++;
    previous = round;
    latest.addLast(round);
    if (latest.size() > lastRounds) {
      latest.removeFirst();
    }
    round.members().forEach(this::add);
  }

  private void add(Member member) {
    stretch.add(member);
    Account account = accounts.computeIfAbsent(member.replica(), replica -> new Account());
    account.contributions++;
    account.steps += member.steps();
    if (member.steps() > 0) {
      account.step.add(member.own() / member.steps());
      fitPerStep.add(member.fit() / member.steps());
    }
    if (member.latency() > 0) {
      latency.add(member.latency());
    }
  }

  /** Whether no restart is between. */
  private boolean follows(TimelineRound round) {
    return round.generation() == previous.generation()
        && round.round() > previous.round()
        && round.time() >= previous.time();
  }

  private void endStretch() {
    stretch.times().forEach(this::account);
    stretch = new UninterruptedRounds();
    latest.clear();
  }

  private void account(int replica, PhaseTimes times) {
    accounts.get(replica).times.add(times);
    all.add(times);
  }

  /** The last rounds without a restart between them. */
  List<TimelineRound> latest() {
    return List.copyOf(latest);
  }

  /** Whether replicas trained while rounds were under way, in the last rounds' stretch. */
  boolean latestOverlap() {
    return stretch.overlaps();
  }

  boolean isEmpty() {
    return rounds == 0;
  }

  /** Summarizes at least one round; none can be added after it. */
  TimelineSummary summary(int unreadable) {
    stretch.times().forEach(this::account);
    List<Replica> replicas = new ArrayList<>();
    accounts.forEach(
        (number, account) ->
            replicas.add(
                new Replica(
                    number,
                    account.contributions,
                    account.steps,
                    account.stepTime(),
                    account.times.shares(),
                    account.times.meanwhileShares())));
    Slowest slowest = slowest(replicas);
    return new TimelineSummary(
        rounds,
        first.version(),
        previous.version(),
        first.time(),
        previous.time(),
        timedMillis > 0 ? Double.valueOf(1000 * timed / timedMillis) : null,
        latency.quantiles().orElse(null),
        fitPerStep.quantiles().orElse(null),
        duration.quantiles().orElse(null),
        replicas,
        all.shares(),
        all.meanwhileShares(),
        slowest,
        Advice.on(all.shares(), slowest),
        unreadable);
  }

  private static Slowest slowest(List<Replica> replicas) {
    List<Replica> stepping = replicas.stream().filter(r -> r.stepTime() != null).toList();
    if (stepping.size() < 2) {
      return null;
    }
    Replica slowest = stepping.stream().max(Comparator.comparing(Replica::stepTime)).orElseThrow();
    List<Replica> others =
        stepping.stream().filter(replica -> replica.replica() != slowest.replica()).toList();
    double wait =
        others.stream().mapToDouble(r -> r.shares().get(Phase.WAIT)).average().orElseThrow();
    return new Slowest(
        slowest.replica(),
        slowest.stepTime(),
        others.stream().mapToDouble(Replica::stepTime).average().orElseThrow(),
        Math.max(0, wait - slowest.shares().get(Phase.WAIT)));
  }
}
