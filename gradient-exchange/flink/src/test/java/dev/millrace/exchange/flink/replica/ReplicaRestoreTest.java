package dev.millrace.exchange.flink.replica;

import static dev.millrace.exchange.flink.replica.ReplicaHarness.BATCH;
import static dev.millrace.exchange.flink.replica.ReplicaHarness.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ReplicaOperator} and checkpoints, at another number of replicas too. */
class ReplicaRestoreTest {

  private static final Schedule ASYNC = Schedule.every(2, false);
  private static final int KEY_GROUPS = 8;

  /** Of each replica: two steps contributed, one step and a partial minibatch not. */
  private static final int CONTRIBUTED = 2 * BATCH;

  private static final int PARTIAL = BATCH - 1;
  private static final int EACH = CONTRIBUTED + BATCH + PARTIAL;

  private final Ledger taken = new Ledger();
  private double weight;

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "2, 1", "1, 2", "2, 3", "3, 2"})
  void everyRecordIsContributedOnce(int before, int after) throws Exception {
    Ledger expected = new Ledger();
    for (int offset = 0; offset < before * EACH; offset++) {
      expected.learned(PARTITION, offset);
    }

    end(after, save(before), before);

    assertThat(taken).isEqualTo(expected);
    assertThat(weight).as("weight of all contributions").isEqualTo(before * EACH);
  }

  @Test
  void aReplicaContinuesUnderItsOwnNumberWhereItWas() throws Exception {
    List<OperatorSubtaskState> saved = save(2);
    try (var replica = restore(saved, 1, 2)) {
      replica.greet();
      assertThat(replica.toExchange())
          .as("the model is there: none to start from is offered")
          .allSatisfy(message -> assertThat(((Pull) message).initial()).isEmpty());
      replica.know(1, 1);

      replica.examples(1000, 1);

      assertThat(replica.counted())
          .as("the step before the checkpoint, and the minibatch that is full now")
          .containsExactly(2f * BATCH);
      assertThat(((Announcement) replica.toCoordinator().get(0)).sequence()).isEqualTo(2);
    }
  }

  @Test
  void whatTwoReplicasHadLearnedIsAveragedByTheirExamples() throws Exception {
    try (var replica = restore(save(2), 0, 1)) {
      replica.greet();
      replica.know(1, 1);
      replica.endInput();

      assertThat(replica.counted())
          .as("three examples of each, averaged; then the four that waited")
          .containsExactly(BATCH + 2f * PARTIAL);
    }
  }

  @Test
  void aNewReplicaContinuesTheSequencesOfItsNumber() throws Exception {
    try (var replica = restore(save(2), 2, 3)) {
      replica.greet();
      assertThat(replica.gate.isOpen()).isFalse();
      replica.know(9, 5);

      replica.examples(1000, 2 * BATCH);

      assertThat(((Announcement) replica.toCoordinator().get(0)).sequence()).isEqualTo(6);
    }
  }

  @Test
  void drainedRightAfterARestoreItWaitsForTheModel() throws Exception {
    OperatorSubtaskState saved;
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.examples(0, CONTRIBUTED + PARTIAL);
      saved = replica.snapshot(1);
    }
    try (var replica = restore(List.of(saved), 0, 1)) {
      replica.greet();
      replica.send(1, 1);
      assertThat(replica.hasMail()).isTrue();

      replica.endInput();

      assertThat(replica.hasMail()).as("the model was taken in first").isFalse();
      assertThat(replica.counted()).containsExactly((float) PARTIAL);
    }
  }

  @Test
  void drainedRightAfterARestoreItWaitsForTheHeadToo() throws Exception {
    OperatorSubtaskState saved;
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.examples(0, CONTRIBUTED + PARTIAL);
      saved = replica.snapshot(1);
    }
    try (var replica = restore(List.of(saved), 0, 1)) {
      replica.greet();
      replica.sendHeadLast(1, 1);

      replica.endInput();

      assertThat(replica.hasMail()).as("the head was taken in first").isFalse();
      assertThat(replica.counted()).containsExactly((float) PARTIAL);
    }
  }

  /**
   * Full minibatches that a restore dealt to it wait for the model, which comes behind the stop.
   */
  @Test
  void stoppedRightAfterARestoreItLeavesTheRestToTheNextJob() throws Exception {
    OperatorSubtaskState saved;
    try (var replica = ReplicaHarness.start(ASYNC, 0, 1)) {
      replica.greet();
      replica.examples(0, 3 * BATCH + PARTIAL);
      saved = replica.snapshot(1);
    }
    try (var replica = restore(List.of(saved), 0, 1)) {
      replica.greet();
      replica.saveAndStop(2);
      replica.toExchange();
      replica.toCoordinator();

      replica.know(1, 0);
      replica.advance(ReplicaHarness.MAX_WAIT.multipliedBy(3));

      assertThat(replica.counted()).isEmpty();
      assertThat(replica.toCoordinator()).isEmpty();
    }
  }

  @Test
  void anAbortedCheckpointChangesNothing() throws Exception {
    OperatorSubtaskState saved;
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.examples(0, BATCH + 1);
      replica.snapshot(1);
      replica.abort(1);
      assertThat(replica.toCoordinator()).isEmpty();
      saved = replica.snapshot(2);
    }
    try (var replica = restore(List.of(saved), 0, 1)) {
      replica.greet();
      replica.know(0, 0);
      replica.endInput();

      assertThat(replica.counted()).containsExactly(BATCH + 1f);
    }
  }

  @Test
  void whatWasRefusedBeforeTheBarrierIsInNoCheckpoint() throws Exception {
    OperatorSubtaskState saved;
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.example(0, Float.POSITIVE_INFINITY);
      replica.examples(1, BATCH - 1);
      replica.beforeBarrier(1);
      assertThat(replica.toCoordinator()).hasExactlyElementsOfTypes(Refusal.class);
      saved = replica.snapshot(1);
    }
    try (var replica = restore(List.of(saved), 0, 1)) {
      replica.greet();
      replica.know(0, 0);
      replica.beforeBarrier(2);
      replica.endInput();

      assertThat(replica.toCoordinator())
          .singleElement()
          .satisfies(
              message -> assertThat(((Farewell) message).rejected().rejectedCount()).isZero());
    }
  }

  /** What so many replicas leave behind, each with examples in every place that there is. */
  private List<OperatorSubtaskState> save(int replicas) throws Exception {
    List<OperatorSubtaskState> saved = new ArrayList<>();
    for (int index = 0; index < replicas; index++) {
      try (var replica = ReplicaHarness.start(ASYNC, index, replicas)) {
        replica.greet();
        replica.know(0, 0);
        replica.examples((long) index * EACH, EACH);
        saved.add(replica.snapshot(1));
        note(replica.toCoordinator());
      }
    }
    return saved;
  }

  /** Restores that many replicas, and has them come to the end of their input. */
  private void end(int replicas, List<OperatorSubtaskState> saved, int before) throws Exception {
    for (int index = 0; index < replicas; index++) {
      try (var replica = restore(saved, index, replicas)) {
        replica.greet();
        replica.know(1, index < before ? 1 : 0);
        replica.endInput();
        note(replica.toCoordinator());
      }
    }
  }

  private void note(List<CoordinatorMessage> messages) {
    for (CoordinatorMessage message : messages) {
      if (message instanceof Announcement announcement) {
        taken.merge(announcement.metadata().ledger());
        weight += announcement.metadata().weight();
      }
    }
  }

  private static ReplicaHarness restore(List<OperatorSubtaskState> saved, int index, int replicas)
      throws Exception {
    OperatorSubtaskState all =
        AbstractStreamOperatorTestHarness.repackageState(
            saved.toArray(OperatorSubtaskState[]::new));
    return ReplicaHarness.restore(
        ASYNC,
        index,
        replicas,
        AbstractStreamOperatorTestHarness.repartitionOperatorState(
            all, KEY_GROUPS, saved.size(), replicas, index));
  }
}
