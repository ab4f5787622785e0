package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.JobEvent.Began;
import dev.millrace.exchange.round.JobEvent.Checkpointed;
import dev.millrace.model.ModelVersion;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/** What {@link CoordinatorOperator} tells of the job as a whole. */
class CoordinatorEventsTest {

  private final CoordinatorSetup setup = new CoordinatorSetup();

  @Test
  void aJobBeginsOnceAndSaysHowManyReplicasItHas() throws Exception {
    try (var coordinator = CoordinatorHarness.start(setup)) {
      coordinator.greet(3);

      assertThat(events(coordinator))
          .containsExactly(
              new Began(new ModelVersion(0, 0), CoordinatorHarness.START, 3, false, 0));
    }
  }

  @Test
  void aRestoredJobSaysThatItGoesOn() throws Exception {
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.announce(0, 1);
      saved = coordinator.snapshot(1);
    }

    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.greet(2);

      assertThat(events(coordinator))
          .containsExactly(new Began(new ModelVersion(1, 1), CoordinatorHarness.START, 2, true, 0));
    }
  }

  @Test
  void aCheckpointIsToldWhenItIsCompleteAsItWasTaken() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.announce(0, 1);
      events(coordinator);

      coordinator.snapshot(7);
      coordinator.announce(0, 2);
      assertThat(events(coordinator)).isEmpty();
      coordinator.advance(Duration.ofMillis(30));
      coordinator.complete(7);

      assertThat(events(coordinator))
          .singleElement()
          .isInstanceOfSatisfying(
              Checkpointed.class,
              event -> {
                assertThat(event.version()).isEqualTo(new ModelVersion(0, 1));
                assertThat(event.checkpoint()).isEqualTo(7);
                assertThat(event.millis()).isEqualTo(30);
                assertThat(event.time()).isEqualTo(CoordinatorHarness.START + 30);
                assertThat(event.ledger().learnedCount()).isEqualTo(1);
              });
    }
  }

  @Test
  void anAbortedCheckpointAndOneAfterTheEndAreNotTold() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      events(coordinator);
      coordinator.snapshot(1);
      coordinator.abort(1);
      coordinator.snapshot(2);
      coordinator.finish();
      coordinator.complete(2);

      assertThat(events(coordinator)).isEmpty();
    }
  }

  private static List<JobEvent> events(CoordinatorHarness coordinator) {
    return coordinator.taken(ExchangeOutputs.EVENTS);
  }
}
