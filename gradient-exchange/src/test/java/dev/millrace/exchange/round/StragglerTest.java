package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.features.FeatureStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Replicas under a schedule that waits for rounds, on a clock of the test's own: does a replica
 * that was slow fall into step with the others again? Seconds are those of the clock.
 */
class StragglerTest {

  private static final int REPLICAS = 4;

  /** Twelve times the timeout. */
  private static final long PERIOD = 60_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final Coordinator coordinator =
      new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, 32));
  private final RoundMaker rounds =
      new RoundMaker(
          coordinator,
          new EarlyStop(StopRules.NONE),
          Schedule.every(60, true),
          new RoundWait(Duration.ofSeconds(5), 0),
          WholeRound.OF_THOSE_THAT_TRAIN,
          0);

  private final long[] period = new long[REPLICAS];
  private final long[] began = new long[REPLICAS];
  private final long[] done = new long[REPLICAS];
  private final long[] sequence = new long[REPLICAS];
  private final List<ClosedRound> made = new ArrayList<>();
  private long time;

  @BeforeEach
  void start() {
    for (int replica = 0; replica < REPLICAS; replica++) {
      coordinator.hello(new Hello(replica, REPLICAS, "home"));
      period[replica] = PERIOD;
      begin(replica);
    }
  }

  @Test
  void aPauseLongerThanTheTimeoutCostsNoStep() {
    run(5);
    pause(3, 8_000);

    run(20);

    assertThat(made).allSatisfy(StragglerTest::isWhole);
  }

  @Test
  void aReplicaThatIsGoneForTwoPeriodsIsInStepTwoPeriodsLater() {
    run(5);
    pause(3, 3 * PERIOD);

    run(20);

    assertThat(made.stream().filter(round -> round.participation().isPartial()).count())
        .as("rounds without it")
        .isBetween(1L, 2L);
    assertThat(made.subList(8, 20)).allSatisfy(StragglerTest::isWhole);
  }

  @Test
  void theOthersAdaptToAReplicaThatBecomesTenTimesSlower() {
    run(5);
    period[3] = 10 * PERIOD;

    run(30);

    List<ClosedRound> late = made.subList(20, 30);
    assertThat(late).allSatisfy(StragglerTest::isWhole);
  }

  @Test
  void soloRoundsTogetherMoveTheModelByAWholeRound() {
    for (int replica = 0; replica < REPLICAS; replica++) {
      announce(replica);
      OptionalLong end = rounds.waitsUntil(time);
      time = end.orElse(time);
      assertThat(rounds.expire(time)).isPresent();
      made.add(rounds.make(0, time).round());
    }

    assertThat(made.stream().mapToDouble(round -> round.participation().share()).sum())
        .isEqualTo(1);
  }

  private static void isWhole(ClosedRound round) {
    assertThat(round.participation().isPartial()).as("round %s lacks replicas", round).isFalse();
  }

  private void begin(int replica) {
    began[replica] = time;
    done[replica] = time + period[replica];
  }

  private void pause(int replica, long millis) {
    done[replica] += millis;
  }

  /** Until so many rounds have been made. */
  private void run(int until) {
    while (made.size() < until) {
      OptionalLong expiry = rounds.waitsUntil(time);
      int next = next();
      if (expiry.isPresent() && expiry.getAsLong() < done[next]) {
        time = expiry.getAsLong();
        assertThat(rounds.expire(time)).isPresent();
      } else {
        time = done[next];
        announce(next);
        done[next] = NEVER;
      }
      while (rounds.isReady()) {
        ClosedRound round = rounds.make(time * 1_000_000, time).round();
        made.add(round);
        round.members().forEach(member -> begin(member.replica()));
      }
    }
  }

  private int next() {
    int next = 0;
    for (int replica = 1; replica < REPLICAS; replica++) {
      next = done[replica] < done[next] ? replica : next;
    }
    return next;
  }

  private void announce(int replica) {
    long fit = Duration.ofMillis(time - began[replica]).toNanos();
    rounds.announce(
        new Announcement(
            replica,
            ++sequence[replica],
            new ContributionMetadata(
                1_920, sequence[replica], new Ledger(), new FeatureStatistics(0), Measures.NONE),
            new Phases(60, fit, 0, 0, 0, fit)),
        time * 1_000_000);
  }
}
