package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.millrace.example.testing.CapturedLog;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.round.StopRules;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.junit.jupiter.api.Test;

/**
 * What {@link CoordinatorOperator} says to what it is told. How long it waits: CoordinatorWaitTest.
 */
class CoordinatorOperatorTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

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

  /** From there on nothing can be made again, and whoever runs the job can do something then. */
  @Test
  void aLogThatBecomesUselessIsWarnedOfOnce() throws Exception {
    try (var warnings = new CapturedLog(AbstractStreamOperator.class);
        var coordinator = CoordinatorHarness.greeted(new CoordinatorSetup(), 1)) {
      coordinator.announce(0, 1, "@clicks 0:192+32 d");
      assertThat(warnings.messages()).isEmpty();
      coordinator.announce(0, 2, "! d");
      coordinator.announce(0, 3, "! d");

      assertThat(warnings.messages())
          .singleElement(as(STRING))
          .startsWith("The training log doesn't tell what replicas did for version 0.2")
          .endsWith("rebuild and forget can begin at it, by --from");
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
