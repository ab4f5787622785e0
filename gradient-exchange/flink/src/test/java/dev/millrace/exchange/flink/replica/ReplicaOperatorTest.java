package dev.millrace.exchange.flink.replica;

import static dev.millrace.exchange.flink.replica.ReplicaHarness.BATCH;
import static dev.millrace.exchange.flink.replica.ReplicaHarness.LAYOUT;
import static dev.millrace.exchange.flink.replica.ReplicaHarness.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.LoggedWaits;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.schedule.Schedule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What {@link ReplicaOperator} does with what comes. What it keeps: ReplicaRestoreTest. */
class ReplicaOperatorTest {

  /** A contribution every two steps, as heads in these tests say; none waits for its round. */
  private static final Schedule ASYNC = Schedule.every(2, false);

  private static final Schedule SYNC = Schedule.every(2, true);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final int TWO_STEPS = 2 * BATCH;

  @Test
  void itGreetsCoordinatorAndExchange() throws Exception {
    try (var first = ReplicaHarness.start(SYNC, 0, 2);
        var second = ReplicaHarness.start(SYNC, 1, 2)) {
      Hello hello = second.greet();
      assertThat(hello.replica()).isEqualTo(1);
      assertThat(hello.replicas()).isEqualTo(2);
      assertThat(second.toExchange())
          .hasSize(LAYOUT.count())
          .allSatisfy(
              message -> {
                assertThat(((Pull) message).home()).isEqualTo(hello.home());
                assertThat(((Pull) message).initial()).isEmpty();
              });

      first.greet();
      assertThat(first.toExchange())
          .as("the first replica of a new job offers the model to start from")
          .allSatisfy(message -> assertThat(((Pull) message).initial()).hasSize(2));
    }
  }

  @Test
  void theGateOpensWhenHeadAndAllBlocksAreKnown() throws Exception {
    try (var replica = ReplicaHarness.start(SYNC, 0, 1)) {
      replica.greet();
      replica.tellHead(0, 0, false);
      replica.tellBlock(0, 0);
      assertThat(replica.gate.isOpen()).isFalse();

      replica.tellBlock(1, 0);

      assertThat(replica.gate.isOpen()).isTrue();
    }
  }

  @Test
  void fullMinibatchesAreLearnedAndContributedByTheSchedule() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.toExchange();
      replica.examples(0, TWO_STEPS - 1);
      assertThat(replica.toExchange()).isEmpty();
      assertThat(replica.toCoordinator()).isEmpty();

      replica.examples(TWO_STEPS - 1, 1);

      assertThat(replica.toExchange())
          .hasSize(LAYOUT.count())
          .allSatisfy(message -> assertThat(((Contribution) message).sequence()).isEqualTo(1))
          .allSatisfy(
              message -> assertThat(Changes.of((Contribution) message, 2)).containsOnly(TWO_STEPS));
      assertThat(replica.toCoordinator())
          .singleElement()
          .satisfies(
              message -> {
                Announcement announcement = (Announcement) message;
                assertThat(announcement.sequence()).isEqualTo(1);
                assertThat(announcement.metadata().weight()).isEqualTo(TWO_STEPS);
                assertThat(announcement.metadata().ledger().learnedCount()).isEqualTo(TWO_STEPS);
              });
    }
  }

  @Test
  void contributionsGoToTheGathererThatTheHeadNames() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.gatherAt(5);
      replica.know(0, 0);
      replica.toExchange();
      replica.examples(0, TWO_STEPS);

      assertThat(replica.toExchange()).isEmpty();
      assertThat(replica.taken(ReplicaOutputs.GATHERED))
          .hasSize(LAYOUT.count())
          .allSatisfy(
              sent -> {
                assertThat(sent.gatherer()).isEqualTo(5);
                assertThat(ReplicaLinks.find(sent.home())).isNotNull();
                assertThat(((Contribution) sent.message()).sequence()).isEqualTo(1);
              });
    }
  }

  @Test
  void aPartialMinibatchIsLearnedWhenItHasWaitedLongEnough() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.toExchange();
      replica.examples(0, BATCH);
      replica.examples(BATCH, 1);

      replica.advance(MAX_WAIT.minus(MILLI));
      assertThat(replica.toExchange()).isEmpty();
      replica.advance(MILLI);

      assertThat(replica.counted()).containsExactly(BATCH + 1f);
      assertThat(replica.timers()).as("for the next one").isEqualTo(1);
    }
  }

  /** Otherwise what was learned would wait in the replica for as long as nothing comes. */
  @Test
  void aPauseContributesWhatOtherFragmentsHaveYetToContribute() throws Exception {
    try (var replica = ReplicaHarness.ready(Schedule.every(4, false).inFragments(2))) {
      replica.toExchange();
      replica.examples(0, TWO_STEPS);
      assertThat(replica.toExchange())
          .singleElement()
          .satisfies(message -> assertThat(message.block()).isZero());
      replica.tellHead(1, 1, false);
      replica.tellBlock(0, 1);

      replica.advance(MAX_WAIT);
      assertThat(replica.toExchange()).as("steps were made").isEmpty();
      replica.advance(MAX_WAIT);

      assertThat(replica.toExchange())
          .hasSize(LAYOUT.count())
          .allSatisfy(
              message ->
                  assertThat(Changes.of((Contribution) message, 2))
                      .containsOnly(message.block() == 0 ? 0 : TWO_STEPS));
      replica.advance(MAX_WAIT);
      assertThat(replica.toExchange()).as("nothing is left").isEmpty();
    }
  }

  /** It takes the round in first, though it has yet to make a step of the delay. */
  @Test
  void aPauseEndsTheDelayAndContributesWhatWasLearned() throws Exception {
    try (var replica = ReplicaHarness.ready(Schedule.every(4, true).delayed(2))) {
      replica.localSteps = 4;
      replica.know(1, 0);
      replica.toExchange();
      replica.examples(0, 2 * TWO_STEPS);
      assertThat(replica.counted()).containsExactly(2f * TWO_STEPS);
      assertThat(replica.gate.isOpen()).as("two more steps").isTrue();
      replica.know(2, 1);
      replica.examples(2 * TWO_STEPS, BATCH);
      replica.advance(MAX_WAIT);
      assertThat(replica.counted()).as("a step was made").isEmpty();

      replica.advance(MAX_WAIT);

      assertThat(replica.counted()).containsExactly((float) BATCH);
    }
  }

  /** Nothing more comes that would end the delay by a step. */
  @Test
  void anEndOfTrainingThatComesInADelayIsHeardOfInAPause() throws Exception {
    try (var replica = ReplicaHarness.ready(Schedule.every(4, true).delayed(2))) {
      replica.localSteps = 4;
      replica.know(1, 0);
      replica.examples(0, 2 * TWO_STEPS);
      replica.tellHead(2, 1, true);
      assertThat(replica.gate.hasEnded()).isFalse();
      replica.advance(MAX_WAIT);

      replica.advance(MAX_WAIT);

      assertThat(replica.gate.hasEnded()).isTrue();
    }
  }

  @Test
  void theTimerIsSetAgainAndAgain() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.toExchange();
      for (int sequence = 0; sequence < 3; sequence++) {
        replica.examples(sequence, 1);
        replica.advance(MAX_WAIT);
        replica.examples(100 + sequence, 1);
        replica.advance(MAX_WAIT);
        assertThat(replica.counted()).as("of two minibatches").containsExactly(2f);
        replica.know(sequence + 1, sequence + 1);
      }
    }
  }

  @Test
  void underSyncItWaitsForItsRoundAndThenLearnsWhatHasCome() throws Exception {
    try (var replica = ReplicaHarness.ready(SYNC)) {
      replica.examples(0, TWO_STEPS);
      assertThat(replica.gate.isOpen()).as("from its contribution on").isFalse();
      replica.examples(100, TWO_STEPS);
      replica.toExchange();
      replica.toCoordinator();
      replica.advance(MAX_WAIT);
      assertThat(replica.toCoordinator()).as("it waits, and is not idle").isEmpty();

      replica.tellHead(1, 1, false);
      replica.tellBlock(1, 1);
      assertThat(replica.gate.isOpen()).as("before all blocks have come").isFalse();
      assertThat(replica.toExchange()).isEmpty();
      replica.tellBlock(0, 1);

      assertThat(replica.counted()).containsExactly((float) TWO_STEPS);
      assertThat(replica.gate.isOpen()).as("the next round is waited for").isFalse();
      replica.know(2, 2);
      assertThat(replica.gate.isOpen()).isTrue();
    }
  }

  @Test
  void withoutSyncItWaitsForNoRound() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.examples(0, TWO_STEPS);

      assertThat(replica.gate.isOpen()).isTrue();
    }
  }

  @Test
  void whenNothingComesItContributesWhatItHasAndSaysSoOnce() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.examples(0, BATCH);
      replica.advance(MAX_WAIT);
      assertThat(replica.toCoordinator()).as("there was a step").isEmpty();

      replica.advance(MAX_WAIT);
      assertThat(replica.toCoordinator()).hasExactlyElementsOfTypes(Announcement.class, Idle.class);
      replica.advance(MAX_WAIT);
      replica.advance(MAX_WAIT);
      assertThat(replica.toCoordinator()).isEmpty();

      replica.know(1, 1);
      replica.examples(BATCH, TWO_STEPS);
      assertThat(replica.toCoordinator()).hasExactlyElementsOfTypes(Announcement.class);
      replica.advance(MAX_WAIT);
      replica.advance(MAX_WAIT);
      assertThat(replica.toCoordinator()).hasExactlyElementsOfTypes(Idle.class);
    }
  }

  @Test
  void whenTrainingIsOverTheSourceEnds() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      assertThat(replica.gate.hasEnded()).isFalse();

      replica.tellHead(1, 0, true);

      assertThat(replica.gate.hasEnded()).isTrue();
    }
  }

  @Test
  void aReplicaThatWaitsForLongSaysWhatItLacks() throws Exception {
    try (var log = new LoggedWaits();
        var replica = ReplicaHarness.start(SYNC, 0, 1)) {
      replica.greet();
      waitForLong(replica);
      replica.tellHead(0, 0, false);
      waitForLong(replica);
      replica.know(0, 0);
      waitForLong(replica);
      replica.examples(0, TWO_STEPS);
      waitForLong(replica);
      replica.tellHead(1, 1, false);
      waitForLong(replica);
      replica.know(1, 1);
      waitForLong(replica);

      assertThat(log.told())
          .extracting(line -> line.substring(0, line.indexOf(';')))
          .containsExactly(
              "Replica 0 waits for the head of the newest round",
              "Replica 0 waits for block 0 of the global model",
              "Replica 0 waits for the round that includes its contribution 1",
              "Replica 0 waits for blocks of round 1, which includes its contribution 1");
    }
  }

  private static void waitForLong(ReplicaHarness replica) throws Exception {
    replica.advance(LoggedWaits.INTERVAL);
    replica.advance(LoggedWaits.INTERVAL);
  }

  @Test
  void atTheEndItLearnsWhatIsLeftContributesAndSaysFarewell() throws Exception {
    try (var replica = ReplicaHarness.ready(SYNC)) {
      replica.examples(0, TWO_STEPS);
      replica.examples(100, TWO_STEPS + 1);
      replica.toExchange();
      replica.toCoordinator();

      replica.endInput();

      assertThat(replica.counted())
          .as("though the round before is not known: two steps, and the rest")
          .containsExactly(TWO_STEPS + 1f);
      assertThat(replica.toCoordinator())
          .hasExactlyElementsOfTypes(Announcement.class, Farewell.class);
      assertThat(replica.timers()).isZero();
      replica.know(1, 2);
      assertThat(replica.toExchange()).as("nothing is taken in any more").isEmpty();
    }
  }

  @Test
  void nothingIsLeftWhenItIsClosed() throws Exception {
    int before = ReplicaLinks.inUse();
    try (var replica = ReplicaHarness.ready(SYNC)) {
      assertThat(replica.timers()).isEqualTo(1);
      assertThat(ReplicaLinks.inUse()).isEqualTo(before + 1);
    }
    assertThat(ReplicaLinks.inUse()).isEqualTo(before);
  }
}
