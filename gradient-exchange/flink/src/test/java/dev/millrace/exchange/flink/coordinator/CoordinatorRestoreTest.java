package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/**
 * {@link CoordinatorOperator} and checkpoints: what it puts into them, and what it does after one.
 */
class CoordinatorRestoreTest {

  private static final PublicationPlan CHECKPOINTS = new PublicationPlan(0, 0, Duration.ZERO, true);
  private static final PublicationPlan EVERY_ROUND =
      new PublicationPlan(1, 0, Duration.ZERO, false);

  private final CoordinatorSetup setup = new CoordinatorSetup();

  @Test
  void aNewJobStartsWithAGenerationThatNobodyHasPublished() throws Exception {
    assertThat(versionOf(null)).isEqualTo(new ModelVersion(0, 1));

    setup.published(4);

    assertThat(versionOf(null)).isEqualTo(new ModelVersion(5, 1));
  }

  @Test
  void eachRestoreRaisesTheGenerationAndKeepsTheRound() throws Exception {
    OperatorSubtaskState first = savedAfterRounds(2);
    assertThat(versionOf(first)).isEqualTo(new ModelVersion(1, 3));

    OperatorSubtaskState second;
    try (var coordinator = CoordinatorHarness.restore(setup, first)) {
      second = coordinator.snapshot(2);
    }

    assertThat(versionOf(second)).isEqualTo(new ModelVersion(2, 3));
  }

  /** An attempt that failed before its first checkpoint may have published models. */
  @Test
  void aRestoredJobTakesNoGenerationThatHasBeenPublished() throws Exception {
    OperatorSubtaskState saved = savedAfterRounds(2);

    setup.published(7);
    assertThat(versionOf(saved)).isEqualTo(new ModelVersion(8, 3));

    setup.published(0);
    assertThat(versionOf(saved)).as("what is published is older").isEqualTo(new ModelVersion(1, 3));
  }

  @Test
  void afterARestoreNoRoundIsMadeBeforeAllHaveSaidHello() throws Exception {
    OperatorSubtaskState saved = savedAfterRounds(1);
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.hello(0, 2);
      assertThat(coordinator.heads())
          .singleElement()
          .satisfies(
              delivery -> {
                assertThat(delivery.head().round()).isEqualTo(1);
                assertThat(delivery.standings())
                    .isEqualTo(Map.of(CoordinatorHarness.home(0), new Standing(1, 1, 1)));
              });
      coordinator.announce(0, 2);
      assertThat(coordinator.rounds()).isEmpty();

      coordinator.hello(1, 2);
      coordinator.announce(1, 2);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
    }
  }

  @Test
  void whatWasAnnouncedBeforeTheCheckpointIsAMemberOfTheNextRound() throws Exception {
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 2)) {
      coordinator.announce(0, 1);
      saved = coordinator.snapshot(1);
      coordinator.announce(1, 1);
    }
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.greet(2);
      coordinator.announce(1, 1);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
      assertThat(coordinator.gauge("learnedRecords")).isEqualTo(2L);
    }
  }

  @Test
  void aContributionFromBeforeTheCheckpointIsRefusedAfterIt() throws Exception {
    try (var coordinator = CoordinatorHarness.restore(setup, savedAfterRounds(2))) {
      coordinator.greet(2);

      assertThatThrownBy(() -> coordinator.announce(1, 2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("contribution 2");
    }
  }

  @Test
  void aRowOfRefusalsIsCountedOverARestore() throws Exception {
    setup.mostRefusals(2);
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.refuse(0, 1);
      coordinator.refuse(0, 2);
      saved = coordinator.snapshot(1);
    }
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      assertThatThrownBy(() -> coordinator.refuse(0, 3))
          .isInstanceOf(NonRecoverableException.class);
    }
  }

  @Test
  void aCheckpointOfAnotherModelIsRefusedWithoutARestart() throws Exception {
    OperatorSubtaskState saved = savedAfterRounds(1);
    ModelSpec spec = SummingEngine.spec(5);
    setup.model(new SavedModel(spec, spec.layout(3, true), Lineage.NONE));

    assertThatThrownBy(() -> CoordinatorHarness.restore(setup, saved))
        .isInstanceOf(NonRecoverableException.class)
        .hasMessageContaining("parameters: 4 there, 5 here");
  }

  @Test
  void theModelOfACheckpointGoesToThePublisherAheadOfTheBarrier() throws Exception {
    setup.publication(CHECKPOINTS);
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.announce(0, 1);
      assertThat(coordinator.published()).isEmpty();

      coordinator.beforeBarrier(3);

      assertThat(coordinator.published())
          .singleElement()
          .satisfies(
              head -> {
                assertThat(head.trigger()).isEqualTo(PublicationTrigger.checkpoint(3));
                assertThat(head.version().round()).isEqualTo(1);
              });
      coordinator.snapshot(3);
      coordinator.complete(3);
      assertThat(coordinator.published()).as("behind the barrier").isEmpty();
    }
  }

  @Test
  void withoutPublishingNothingGoesAheadOfABarrier() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.announce(0, 1);

      coordinator.beforeBarrier(3);

      assertThat(coordinator.published()).isEmpty();
    }
  }

  @Test
  void onlyACheckpointThatCompletedIsOneToFallBackTo() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.advance(Duration.ofSeconds(3));
      coordinator.snapshot(1);
      coordinator.abort(1);
      assertThat(coordinator.gauge("checkpointAgeMillis")).isEqualTo(3000L);

      coordinator.snapshot(2);
      coordinator.complete(2);

      assertThat(coordinator.gauge("checkpointAgeMillis")).isEqualTo(0L);
    }
  }

  @Test
  void aCheckpointThatIsAbortedChangesNothing() throws Exception {
    setup.publication(CHECKPOINTS);
    OperatorSubtaskState saved;
    try (var coordinator = CoordinatorHarness.greeted(setup, 2)) {
      coordinator.announce(0, 1);
      coordinator.beforeBarrier(1);
      coordinator.snapshot(1);
      coordinator.published();

      coordinator.abort(1);

      assertThat(coordinator.heads()).isEmpty();
      assertThat(coordinator.published()).isEmpty();
      assertThat(coordinator.decisions()).isEmpty();
      assertThat(coordinator.timers()).as("the round still waits").isEqualTo(1);
      saved = coordinator.snapshot(2);
      coordinator.announce(1, 1);
      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1));
    }
    try (var coordinator = CoordinatorHarness.restore(setup, saved)) {
      coordinator.greet(2);
      coordinator.announce(1, 1);

      assertThat(coordinator.rounds())
          .as("the next checkpoint holds what the aborted one held")
          .containsExactly(List.of(0, 1));
    }
  }

  @Test
  void theHeadAfterARestoreSaysWhatEachNumberHasContributed() throws Exception {
    try (var coordinator = CoordinatorHarness.restore(setup, savedAfterRounds(2))) {
      coordinator.hello(0, 2);
      coordinator.hello(1, 2);

      assertThat(coordinator.heads())
          .allSatisfy(
              delivery -> assertThat(delivery.standings()).containsValue(new Standing(2, 2, 2)));
    }
  }

  /** Rounds of two replicas. */
  private OperatorSubtaskState savedAfterRounds(int rounds) throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(setup, 2)) {
      for (int sequence = 1; sequence <= rounds; sequence++) {
        coordinator.announce(0, sequence);
        coordinator.announce(1, sequence);
      }
      return coordinator.snapshot(1);
    }
  }

  /** Of the first model that is published, which replica 0 alone contributes to. */
  private ModelVersion versionOf(OperatorSubtaskState saved) throws Exception {
    setup.publication(EVERY_ROUND);
    try (var coordinator =
        saved == null
            ? CoordinatorHarness.start(setup)
            : CoordinatorHarness.restore(setup, saved)) {
      coordinator.greet(1);
      coordinator.announce(0, saved == null ? 1 : 3);
      List<PublishedPart.Head> published = coordinator.published();
      assertThat(published).hasSize(1);
      return published.get(0).version();
    }
  }
}
