package dev.millrace.exchange.flink.replica;

import static dev.millrace.exchange.flink.replica.ReplicaHarness.BATCH;
import static dev.millrace.exchange.flink.replica.ReplicaHarness.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Ledger;
import org.junit.jupiter.api.Test;

/** Where {@link ReplicaOperator} tells of what isn't learned. */
class ReplicaRejectionTest {

  /** A contribution every two steps, as heads in these tests say; none waits for its round. */
  private static final Schedule ASYNC = Schedule.every(2, false);

  private static final int TWO_STEPS = 2 * BATCH;

  @Test
  void aRejectedRecordGoesToTheDeadLettersAndIntoTheLedger() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      RejectedRecord record = replica.reject(7);
      replica.examples(8, TWO_STEPS);

      assertThat(replica.taken(ReplicaOutputs.REJECTED))
          .extracting(RejectedRecord::offset)
          .containsExactly(record.offset());
      Ledger ledger = ((Announcement) replica.toCoordinator().get(0)).metadata().ledger();
      assertThat(ledger.rejectedCount()).isEqualTo(1);
      assertThat(ledger.learnedCount()).isEqualTo(TWO_STEPS);
    }
  }

  @Test
  void whatExplodesIsRefusedBeforeTheBarrier() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.example(0, Float.POSITIVE_INFINITY);
      replica.examples(1, BATCH - 1);
      assertThat(replica.toCoordinator()).isEmpty();

      replica.beforeBarrier(1);

      assertThat(replica.toCoordinator())
          .singleElement()
          .satisfies(
              message ->
                  assertThat(((Refusal) message).rejected().rejectedCount()).isEqualTo(BATCH));
      assertThat(replica.taken(ReplicaOutputs.REJECTED))
          .singleElement()
          .satisfies(
              told ->
                  assertThat(told.reason())
                      .startsWith(BATCH + " records from offset 0 to " + (BATCH - 1))
                      .contains("exploded"));
      replica.beforeBarrier(2);
      assertThat(replica.toCoordinator()).as("it is back at the global model").isEmpty();
    }
  }

  /** Both of those that are no examples and of those that the model can't compute with. */
  @Test
  void whatWasRejectedAloneIsNotToldAgainWithARefusedContribution() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.reject(7);
      replica.example(8, Float.POSITIVE_INFINITY);
      replica.example(9, Float.NEGATIVE_INFINITY);
      replica.examples(10, BATCH - 2);
      assertThat(replica.taken(ReplicaOutputs.REJECTED))
          .extracting(RejectedRecord::offset)
          .containsExactly(7L, 9L);

      replica.beforeBarrier(1);

      assertThat(replica.taken(ReplicaOutputs.REJECTED))
          .singleElement()
          .satisfies(
              told -> {
                assertThat(told.offset()).isEqualTo(8);
                assertThat(told.reason())
                    .startsWith(
                        "%s records from offset 8 to %s".formatted(BATCH - 1, 8 + BATCH - 1));
              });
    }
  }

  @Test
  void whatTheModelCannotComputeWithGoesToTheDeadLettersAndTheRestIsLearned() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.toExchange();
      replica.example(0, Float.NEGATIVE_INFINITY);
      replica.examples(1, TWO_STEPS - 1);

      assertThat(replica.taken(ReplicaOutputs.REJECTED))
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.offset()).isZero();
                assertThat(record.value()).as("its bytes are gone").isEmpty();
                assertThat(record.reason())
                    .startsWith("the network can't compute with it: it knows no such number.");
              });
      assertThat(replica.toCoordinator()).hasExactlyElementsOfTypes(Announcement.class);
      assertThat(replica.counted()).containsExactly(TWO_STEPS - 1f);
    }
  }

  @Test
  void recordsRejectedAtTheEndAreInTheFarewell() throws Exception {
    try (var replica = ReplicaHarness.ready(Schedule.every(2, true))) {
      replica.reject(7);

      replica.endInput();

      assertThat(replica.toCoordinator())
          .singleElement()
          .satisfies(
              message -> {
                Ledger rejected = ((Farewell) message).rejected();
                assertThat(rejected.places()).contains(PARTITION.topic());
                assertThat(rejected.rejectedCount()).isEqualTo(1);
              });
    }
  }
}
