package dev.millrace.exchange.flink.coordinator;

import static dev.millrace.exchange.flink.coordinator.CoordinatorHarness.home;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.TestDecisions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom {@link CoordinatorOperator} tells of hellos and rounds. */
class CoordinatorHeadsTest {

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
}
