package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.round.ContributionId;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/** {@link CoordinatorOperator} where the contributions of a process are gathered in it. */
class CoordinatorGatherTest {

  private final CoordinatorSetup setup = new CoordinatorSetup().gathering();

  /** So who gathers, and with that each sum, doesn't depend on who speaks first. */
  @Test
  void replicasAreToldOnceAllHaveSaidHelloAndTheLowestOfEachProcessGathers() throws Exception {
    try (var coordinator = CoordinatorHarness.start(setup)) {
      coordinator.hello(3, 4, "there/3");
      coordinator.hello(2, 4, "here/2");
      coordinator.hello(1, 4, "there/1");
      assertThat(coordinator.heads()).isEmpty();

      coordinator.hello(0, 4, "here/0");

      List<HeadDelivery> heads = coordinator.heads();
      assertThat(heads).extracting(HeadDelivery::gatherer).containsExactlyInAnyOrder(0, 1);
      assertThat(heads)
          .allSatisfy(head -> assertThat(head.standings()).hasSize(2))
          .filteredOn(head -> head.gatherer() == 1)
          .allSatisfy(head -> assertThat(head.standings()).containsKeys("there/1", "there/3"));
    }
  }

  @Test
  void withoutGatherersNobodyIsToldOfOne() throws Exception {
    try (var coordinator = CoordinatorHarness.start(new CoordinatorSetup())) {
      coordinator.hello(0, 2);

      assertThat(coordinator.heads())
          .extracting(HeadDelivery::gatherer)
          .containsExactly(HeadDelivery.NO_GATHERER);
    }
  }

  @Test
  void eachGathererIsToldOfItsMembers() throws Exception {
    try (var coordinator = CoordinatorHarness.start(setup)) {
      greet(coordinator);
      coordinator.announce(0, 1);
      coordinator.announce(1, 1);
      assertThat(coordinator.taken(ExchangeOutputs.ORDERS)).isEmpty();

      coordinator.announce(2, 1);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1, 2));
      assertThat(coordinator.taken(ExchangeOutputs.ORDERS))
          .containsExactly(
              new GatherOrder(0, 1, List.of(id(0, 1), id(1, 1)), List.of()),
              new GatherOrder(2, 1, List.of(id(2, 1)), List.of()));
    }
  }

  /** Not even when the round has waited long enough: nobody knows yet who gathers. */
  @Test
  void whatWasRestoredIsDecidedOnceAllHaveSaidHelloAndWhoHasItIsToldOfIt() throws Exception {
    try (var coordinator = CoordinatorHarness.restore(setup, announced())) {
      coordinator.hello(0, 3, "here/0");
      coordinator.hello(1, 3, "here/1");
      coordinator.advance(Duration.ofHours(1));
      assertThat(coordinator.rounds()).isEmpty();
      coordinator.hello(2, 3, "there/2");
      coordinator.announce(0, 1);
      coordinator.announce(2, 1);

      assertThat(coordinator.rounds()).containsExactly(List.of(0, 1, 2));
      assertThat(coordinator.taken(ExchangeOutputs.ORDERS))
          .containsExactly(
              new GatherOrder(0, 1, List.of(id(0, 1), id(1, 1)), List.of()),
              new GatherOrder(2, 1, List.of(id(2, 1)), List.of()));
    }
  }

  @Test
  void allAreToldOfWhatWasRestoredWhereTheirNumberHasChanged() throws Exception {
    try (var coordinator = CoordinatorHarness.restore(setup, announced())) {
      coordinator.hello(0, 2, "here/0");
      coordinator.hello(1, 2, "there/1");
      coordinator.announce(0, 1);

      List<ContributionId> restored = List.of(id(1, 1));
      assertThat(coordinator.taken(ExchangeOutputs.ORDERS))
          .containsExactly(
              new GatherOrder(0, 1, List.of(id(0, 1)), restored),
              new GatherOrder(1, 1, List.of(), restored));
    }
  }

  private OperatorSubtaskState announced() throws Exception {
    try (var coordinator = CoordinatorHarness.start(setup)) {
      greet(coordinator);
      coordinator.announce(1, 1);
      return coordinator.snapshot(1);
    }
  }

  private static void greet(CoordinatorHarness coordinator) throws Exception {
    coordinator.hello(0, 3, "here/0");
    coordinator.hello(1, 3, "here/1");
    coordinator.hello(2, 3, "there/2");
    coordinator.heads();
  }

  private static ContributionId id(int replica, long sequence) {
    return new ContributionId(replica, sequence);
  }
}
