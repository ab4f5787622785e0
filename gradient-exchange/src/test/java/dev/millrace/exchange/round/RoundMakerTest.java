package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundMakerTest {

  private static final Partition PARTITION = new Partition("t", 0);
  private static final long START = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Coordinator coordinator =
      new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, 32));

  @Test
  void aRoundIsMadeWithItsTimelineAndItsReport() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(2);
    announce(rounds, 0, 1);
    assertThat(rounds.isReady()).isFalse();
    announce(rounds, 1, 1);
    assertThat(rounds.isReady()).isTrue();

    RoundMaker.Made made = rounds.make(5, START + 1);

    assertThat(made.round().members()).hasSize(2);
    assertThat(made.timeline().members()).hasSize(2);
    assertThat(made.timeline().time()).isEqualTo(START + 1);
    assertThat(made.report())
        .isEqualTo(
            new RoundReport(
                new ModelVersion(0, 1),
                START + 1,
                2,
                0,
                RefusedContributions.NONE,
                new NewestRound(2, NewestRound.UNKNOWN, 0, -1, -1, -1),
                Measures.NONE,
                Measures.NONE));
    assertThat(rounds.head().round()).isEqualTo(1);
    assertThat(rounds.head().localSteps()).isEqualTo(3);
  }

  /** Of records that replica 0 knows no number of, that of replica 1 counts alone. */
  @Test
  void aRoundTellsBytesStalenessDurationAndPendingRecords() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(2);
    announce(rounds, 0, 1, new ContributionFacts(100, -1, -1));
    announce(rounds, 1, 1, new ContributionFacts(20, 3, 500));

    assertThat(rounds.make(1_000, START).report().newest())
        .isEqualTo(new NewestRound(2, NewestRound.UNKNOWN, 120, 3, NewestRound.UNKNOWN, 500));

    announce(rounds, 0, 2, new ContributionFacts(100, 0, 7));
    announce(rounds, 1, 2, new ContributionFacts(20, 1, 400));
    assertThat(rounds.make(3_500, START).report().newest())
        .isEqualTo(new NewestRound(2, 2_500, 120, 1, NewestRound.UNKNOWN, 407));
  }

  @Test
  void nothingIsWaitedForUntilSomebodyHasContributed() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(2);
    assertThat(rounds.waitsUntil(START)).isEmpty();
    assertThat(rounds.expire(Long.MAX_VALUE)).isEmpty();

    announce(rounds, 0, 1);

    assertThat(rounds.waitsUntil(START + 5)).hasValue(START + 5 + TIMEOUT.toMillis());
  }

  @Test
  void aRoundThatHasWaitedLongEnoughIsMadeWithoutTheOthers() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(3);
    announce(rounds, 0, 1);
    long end = rounds.waitsUntil(START).orElseThrow();
    assertThat(rounds.expire(end - 1)).isEmpty();
    assertThat(rounds.isReady()).isFalse();

    assertThat(rounds.expire(end)).hasValue(2);

    assertThat(rounds.isReady()).isTrue();
    assertThat(rounds.make(0, end).round().members()).hasSize(1);
  }

  @Test
  void patienceCountsFromTheRoundBefore() {
    RoundMaker rounds = rounds(StopRules.NONE, 2);
    greet(2);
    announce(rounds, 0, 1);
    announce(rounds, 1, 1);
    RoundMaker.Made unused = rounds.make(0, START + 100);

    announce(rounds, 0, 2);

    assertThat(rounds.waitsUntil(START + 110)).hasValue(START + 130);
  }

  /**
   * Under a schedule that waits for no straggler, rounds of the others would be partial for good.
   */
  @Test
  void aSlowReplicaThatHasEndedIsNoStraggler() {
    RoundMaker rounds = rounds(Schedule.every(3, false), StopRules.NONE, 0);
    greet(3);
    for (int sequence = 1; sequence <= 3; sequence++) {
      announce(rounds, 0, sequence, millis(10), 500);
      announce(rounds, 1, sequence, millis(10), 40);
      announce(rounds, 2, sequence, millis(60_000), 3);
      RoundMaker.Made unused = rounds.make(0, START + 100L * sequence);
    }
    announce(rounds, 0, 4, millis(10), 500);
    announce(rounds, 1, 4, millis(10), 40);
    assertThat(rounds.waitsUntil(START + 400)).as("no longer than for half").hasValue(START + 500);

    rounds.farewell(new Farewell(2, new Ledger()));

    assertThat(rounds.make(0, START + 400).report().newest().pending()).isEqualTo(540);
    announce(rounds, 0, 5, millis(10), 500);
    assertThat(rounds.waitsUntil(START + 500))
        .as("neither the straggler's patience nor its steps")
        .hasValue(START + 500 + TIMEOUT.toMillis());
  }

  @Test
  void anIdleReplicaPendsNothingAndKeepsNobodyWaiting() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(2);
    announce(rounds, 0, 1, millis(10), 500);
    announce(rounds, 1, 1, millis(60_000), 40);
    RoundMaker.Made unused = rounds.make(0, START);

    rounds.idle(1);
    announce(rounds, 0, 2, millis(10), 499);

    assertThat(rounds.waitsUntil(START)).hasValue(START + TIMEOUT.toMillis());
    assertThat(rounds.make(0, START).report().newest().pending()).isEqualTo(499);
  }

  @Test
  void whileReplicasStartNoRoundTimesOut() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    coordinator.hello(new Hello(0, 2, "home"));
    announce(rounds, 0, 1);
    assertThat(rounds.waitsUntil(START)).isEmpty();
    assertThat(rounds.expire(Long.MAX_VALUE)).isEmpty();

    coordinator.hello(new Hello(1, 2, "home"));

    assertThat(rounds.waitsUntil(START + 5)).hasValue(START + 5 + TIMEOUT.toMillis());
  }

  @Test
  void itSaysWhichReplicasItWaitsFor() {
    RoundMaker rounds = rounds(StopRules.NONE, 0);
    greet(4);
    assertThat(rounds.waitsFor()).as("nobody has contributed").isEmpty();
    rounds.idle(2);
    announce(rounds, 1, 1);

    assertThat(rounds.waitsFor())
        .hasValue("Round 1 waits for the contributions of replicas {0, 3}");

    announce(rounds, 0, 1);
    announce(rounds, 3, 1);
    assertThat(rounds.waitsFor()).isEmpty();
  }

  @Test
  void trainingEndsOnceAndForAllHeads() {
    RoundMaker rounds = rounds(new StopRules(Duration.ZERO, 1, 0, 0, 0), 0);
    greet(1);
    assertThat(rounds.end(START)).isEmpty();
    assertThat(rounds.head().ended()).isFalse();
    announce(rounds, 0, 1);
    RoundMaker.Made unused = rounds.make(0, START);

    assertThat(rounds.isOver(START)).isTrue();
    assertThat(rounds.head().ended()).as("nobody has been told").isFalse();
    assertThat(rounds.end(START)).hasValue("1 records have been learned");
    assertThat(rounds.end(START)).as("said already").isEmpty();
    assertThat(rounds.head().ended()).isTrue();
  }

  @Test
  void theTimeCountsFromTheStart() {
    RoundMaker rounds = rounds(new StopRules(Duration.ofSeconds(1), 0, 0, 0, 0), 0);

    assertThat(rounds.isOver(START + 999)).isFalse();
    assertThat(rounds.isOver(START + 1_000)).isTrue();
  }

  private RoundMaker rounds(StopRules rules, double patience) {
    return rounds(Schedule.every(3, true), rules, patience);
  }

  private RoundMaker rounds(Schedule schedule, StopRules rules, double patience) {
    return new RoundMaker(
        coordinator,
        new EarlyStop(rules),
        schedule,
        new RoundWait(TIMEOUT, patience),
        WholeRound.OF_THOSE_THAT_TRAIN,
        START);
  }

  private void greet(int replicas) {
    for (int replica = 0; replica < replicas; replica++) {
      coordinator.hello(new Hello(replica, replicas, "home"));
    }
  }

  private static void announce(RoundMaker rounds, int replica, long sequence) {
    announce(rounds, replica, sequence, ContributionFacts.NONE);
  }

  private static Phases millis(long each) {
    return new Phases(3, 3 * each * 1_000_000, 0, 0, 0, 0);
  }

  private static void announce(
      RoundMaker rounds, int replica, long sequence, Phases phases, long pending) {
    announce(rounds, replica, sequence, phases, new ContributionFacts(0, -1, pending));
  }

  private static void announce(
      RoundMaker rounds, int replica, long sequence, ContributionFacts facts) {
    announce(rounds, replica, sequence, Phases.NONE, facts);
  }

  private static void announce(
      RoundMaker rounds, int replica, long sequence, Phases phases, ContributionFacts facts) {
    Ledger ledger = new Ledger();
    ledger.learned(PARTITION, replica * 100L + sequence);
    rounds.announce(
        new Announcement(
            replica,
            sequence,
            Fragment.WHOLE,
            new ContributionMetadata(5, sequence, ledger, new FeatureStatistics(0), Measures.NONE),
            phases,
            facts),
        0);
  }
}
