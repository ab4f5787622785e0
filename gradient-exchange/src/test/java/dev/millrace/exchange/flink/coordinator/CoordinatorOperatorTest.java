package dev.millrace.exchange.flink.coordinator;

import static dev.millrace.exchange.flink.coordinator.CoordinatorHarness.home;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.feedback.HeadDelivery;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.TestDecisions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.junit.jupiter.api.Test;

/**
 * What {@link CoordinatorOperator} says to what it is told. How long it waits: CoordinatorWaitTest.
 */
class CoordinatorOperatorTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void everyHelloIsAnsweredByAHeadForThatReplicaOnly() throws Exception {
    try (var coordinator = CoordinatorHarness.start(new CoordinatorSetup())) {
      coordinator.hello(1, 2);
      assertThat(coordinator.heads())
          .singleElement()
          .satisfies(
              delivery -> {
                assertThat(delivery.sink()).isEqualTo(1);
                assertThat(delivery.standings()).isEqualTo(Map.of(home(1), Standing.NONE));
                assertThat(delivery.head().round()).isZero();
                assertThat(delivery.head().localSteps()).isEqualTo(1);
                assertThat(delivery.head().ended()).isFalse();
              });

      coordinator.hello(0, 2);
      assertThat(coordinator.heads())
          .singleElement()
          .satisfies(
              delivery -> {
                assertThat(delivery.sink()).as("of the first replica there").isEqualTo(1);
                assertThat(delivery.standings()).containsOnlyKeys(home(0));
              });
    }
  }

  /** So that a round costs as many messages as there are processes. */
  @Test
  void aRoundIsToldToEachProcessOnceAndOnlyOfItsOwnReplicas() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.hello(2, 4, "there/2");
      coordinator.hello(3, 4, "there/3");
      coordinator.heads();
      for (int replica = 0; replica < 4; replica++) {
        coordinator.announce(replica, 1);
      }

      Standing included = new Standing(1, 1, 1);
      assertThat(coordinator.heads())
          .extracting(HeadDelivery::sink, HeadDelivery::standings)
          .containsExactly(
              tuple(0, Map.of(home(0), included, home(1), included)),
              tuple(2, Map.of("there/2", included, "there/3", included)));
    }
  }

  @Test
  void aRoundIsToldToEveryBlockAndItsHeadToReplicas() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(1, 1);
      assertThat(coordinator.decisions()).isEmpty();
      assertThat(coordinator.heads()).isEmpty();

      coordinator.announce(0, 1);

      assertThat(CoordinatorSetup.BLOCKS).isGreaterThan(1);
      assertThat(coordinator.decisions())
          .hasSize(CoordinatorSetup.BLOCKS)
          .allSatisfy(
              decision -> {
                assertThat(decision.round()).isEqualTo(1);
                assertThat(decision.members()).isEqualTo(TestDecisions.members(0, 1));
                assertThat(decision.publish()).isFalse();
              })
          .extracting(Decision::block)
          .doesNotHaveDuplicates();
      assertThat(coordinator.heads())
          .singleElement()
          .satisfies(
              delivery -> {
                assertThat(delivery.head().round()).isEqualTo(1);
                assertThat(delivery.standings().values())
                    .containsExactly(new Standing(1, 1, 1), new Standing(1, 1, 1));
              });
      assertThat(coordinator.gauge("round")).isEqualTo(1L);
      assertThat(coordinator.gauge("learnedRecords")).isEqualTo(2L);
    }
  }

  @Test
  void aContributionThatIsAnnouncedAgainIsRefused() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);

      assertThatIllegalStateException()
          .as("before its round")
          .isThrownBy(() -> coordinator.announce(0, 1))
          .withMessage("Replica 0 has announced contribution 1, and now announces contribution 1");
      coordinator.announce(0, 2);
      coordinator.announce(1, 1);
      assertThatIllegalStateException()
          .as("after its round")
          .isThrownBy(() -> coordinator.announce(0, 1))
          .withMessage("Replica 0 has announced contribution 2, and now announces contribution 1");
    }
  }

  @Test
  void whoIsIdleIsNotWaitedFor() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);

      coordinator.idle(1);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
    }
  }

  @Test
  void whoSaysFarewellIsNotWaitedForAndItsLastRejectedRecordsCount() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);

      coordinator.farewell(1, 7);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
      assertThat(coordinator.gauge("rejectedRecords")).isEqualTo(1L);
    }
  }

  @Test
  void aRefusalLeavesTheRoundToTheOthersAndItsRecordsCountAsRejected() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);

      coordinator.refuse(1, 7);

      assertThat(coordinator.rounds()).containsExactly(List.of(0));
      assertThat(coordinator.gauge("rejectedRecords")).isEqualTo(1L);
      assertThat(coordinator.count("refusals")).isEqualTo(1);
    }
  }

  @Test
  void moreRefusalsInARowThanAllowedFailTheJobWithoutARestart() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(2), 2)) {
      coordinator.refuse(0, 1);
      coordinator.refuse(0, 2);
      coordinator.refuse(1, 3);

      assertThatThrownBy(() -> coordinator.refuse(0, 4))
          .isInstanceOf(NonRecoverableException.class)
          .hasMessageContaining("3 contributions in a row of replica 0")
          .hasMessageEndingWith("values that exploded. Ask for fewer.")
          .satisfies(
              failure ->
                  assertThat(ThrowableClassifier.getThrowableType(failure))
                      .isEqualTo(ThrowableType.NonRecoverableError));
    }
  }

  @Test
  void aContributionEndsARowOfRefusals() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(2), 1)) {
      coordinator.refuse(0, 1);
      coordinator.refuse(0, 2);
      coordinator.announce(0, 1);
      coordinator.refuse(0, 3);
      coordinator.refuse(0, 4);

      assertThat(coordinator.count("refusals")).isEqualTo(4);
    }
  }

  @Test
  void withoutALimitAnyNumberOfRefusalsIsBorne() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().mostRefusals(0), 1)) {
      for (int offset = 0; offset < 100; offset++) {
        coordinator.refuse(0, offset);
      }

      assertThat(coordinator.count("refusals")).isEqualTo(100);
    }
  }

  @Test
  void onceTrainingIsOverItStaysOver() throws Exception {
    StopRules two = new StopRules(Duration.ZERO, 2, 0, 0, 0);
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup().stop(two), 1)) {
      coordinator.announce(0, 1);
      coordinator.announce(0, 2);
      coordinator.hello(0, 1);

      assertThat(coordinator.heads())
          .extracting(delivery -> delivery.head().ended())
          .containsExactly(false, true, true);
    }
  }

  @Test
  void aRoundThatIsWantedIsPublishedByAllBlocks() throws Exception {
    PublicationPlan plan = new PublicationPlan(2, 0, Duration.ZERO, false);
    try (var coordinator =
        CoordinatorHarness.greeted(new CoordinatorSetup().publication(plan), 1)) {
      coordinator.announce(0, 1);
      assertThat(coordinator.decisions()).extracting(Decision::publish).containsOnly(false);
      assertThat(coordinator.published()).isEmpty();

      coordinator.announce(0, 2);

      assertThat(coordinator.decisions()).extracting(Decision::publish).containsOnly(true);
      assertThat(coordinator.published())
          .singleElement()
          .satisfies(
              head -> {
                assertThat(head.trigger()).isEqualTo(PublicationTrigger.round(2));
                assertThat(head.purposes()).containsExactly(Purpose.MEASURE);
                assertThat(head.version().round()).isEqualTo(2);
                assertThat(head.ledger().learnedCount()).isEqualTo(2);
              });
    }
  }

  @Test
  void aModelIsReleasedWhenItsTimeHasCome() throws Exception {
    PublicationPlan plan = new PublicationPlan(0, 0, SECOND.multipliedBy(10), false);
    try (var coordinator =
        CoordinatorHarness.greeted(new CoordinatorSetup().publication(plan), 1)) {
      for (int sequence = 1; sequence <= 25; sequence++) {
        coordinator.advance(SECOND);
        coordinator.announce(0, sequence);
      }

      assertThat(coordinator.published())
          .extracting(PublishedPart.Head::trigger)
          .containsExactly(PublicationTrigger.round(10), PublicationTrigger.round(20));
    }
  }

  @Test
  void reportsComeAtMostOncePerInterval() throws Exception {
    CoordinatorSetup setup = new CoordinatorSetup().reportInterval(SECOND);
    try (var coordinator = CoordinatorHarness.greeted(setup, 1)) {
      coordinator.announce(0, 1);
      coordinator.announce(0, 2);
      coordinator.announce(0, 3);
      coordinator.advance(SECOND);

      assertThat(coordinator.taken(ExchangeOutputs.REPORTS))
          .extracting(RoundReport::learned)
          .containsExactly(1L, 3L);
    }
  }

  @Test
  void timelinesAreToldWhereTheyAreAskedFor() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 1);
        var asked = CoordinatorHarness.greeted(new CoordinatorSetup().timeline(), 1)) {
      coordinator.announce(0, 1);
      asked.announce(0, 1);

      assertThat(coordinator.taken(ExchangeOutputs.TIMELINES)).isEmpty();
      assertThat(asked.taken(ExchangeOutputs.TIMELINES))
          .singleElement()
          .extracting(RoundTimeline::version)
          .extracting("round")
          .isEqualTo(1L);
    }
  }

  @Test
  void atTheEndWhatWasAnnouncedIsMadeIntoRoundsAndPublished() throws Exception {
    try (var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 2)) {
      coordinator.announce(0, 1);
      coordinator.announce(0, 2);

      coordinator.endInput();
      coordinator.finish();

      assertThat(coordinator.rounds()).containsExactly(List.of(0), List.of(0));
      assertThat(coordinator.published())
          .singleElement()
          .satisfies(
              head -> {
                assertThat(head.trigger()).isEqualTo(PublicationTrigger.end());
                assertThat(head.purposes()).isEqualTo(Set.of());
                assertThat(head.ledger().learnedCount()).isEqualTo(2);
              });
      assertThat(coordinator.taken(ExchangeOutputs.REPORTS))
          .last()
          .extracting(RoundReport::learned)
          .isEqualTo(2L);
    }
  }
}
