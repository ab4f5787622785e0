package dev.millrace.exchange.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.Member;
import dev.millrace.exchange.round.Participation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatherPlanTest {

  private static final int GATHERERS = 4;

  @Test
  void whoHasMembersIsToldOfItsOwn() {
    GatherPlan plan = new GatherPlan(List.of(), GatheredPlaces.NONE);

    assertThat(orders(plan, 1, id(0, 5), id(1, 2), id(3, 9)))
        .containsExactly(
            new GatherOrder(0, 1, List.of(id(0, 5), id(1, 2)), List.of()),
            new GatherOrder(2, 1, List.of(id(3, 9)), List.of()));
    assertThat(orders(plan, 2, id(2, 1)))
        .containsExactly(new GatherOrder(2, 2, List.of(id(2, 1)), List.of()));
  }

  /** Of replica 9, which is no more, too. */
  @Test
  void allAreToldOfWhatWasDealtOutAnewUntilItIsInARound() {
    GatheredPlaces before = new GatheredPlaces(3, Map.of(id(1, 2), 0, id(9, 4), 2));
    GatherPlan plan = new GatherPlan(List.of(id(1, 2), id(1, 3), id(9, 4)), before);
    List<ContributionId> first = List.of(id(1, 2), id(9, 4));

    assertThat(orders(plan, 7, id(0, 5), id(1, 2), id(9, 4)))
        .containsExactly(
            new GatherOrder(0, 7, List.of(id(0, 5)), first),
            new GatherOrder(1, 7, List.of(), first),
            new GatherOrder(2, 7, List.of(), first),
            new GatherOrder(3, 7, List.of(), first));
    assertThat(orders(plan, 8, id(1, 3))).hasSize(GATHERERS);
    assertThat(orders(plan, 9, id(1, 4)))
        .containsExactly(new GatherOrder(0, 9, List.of(id(1, 4)), List.of()));
  }

  /** Even if its replica sends to another now. */
  @Test
  void whatWasRestoredIsWhereItWasWhereThereAreAsManyGatherers() {
    GatheredPlaces before =
        new GatheredPlaces(GATHERERS, Map.of(id(1, 2), 3, id(1, 3), 0, id(2, 4), 0));
    GatherPlan plan = new GatherPlan(List.of(id(1, 2), id(1, 3), id(2, 4)), before);

    assertThat(orders(plan, 7, id(0, 5), id(1, 2), id(2, 4)))
        .containsExactly(
            new GatherOrder(0, 7, List.of(id(0, 5), id(2, 4)), List.of()),
            new GatherOrder(3, 7, List.of(id(1, 2)), List.of()));
    assertThat(plan.places(List.of(id(1, 3), id(3, 1)), replica -> 2, GATHERERS))
        .isEqualTo(new GatheredPlaces(GATHERERS, Map.of(id(1, 3), 0, id(3, 1), 2)));
    assertThat(plan.places(List.of(id(1, 3)), replica -> 2, 0)).isEqualTo(before);
  }

  /** Two replicas a process. */
  private static List<GatherOrder> orders(GatherPlan plan, long round, ContributionId... members) {
    return plan.orders(
        new ClosedRound(
            round,
            Arrays.stream(members).map(id -> new Member(id.replica(), id.sequence(), 1)).toList(),
            Participation.WHOLE),
        replica -> replica / 2 * 2,
        GATHERERS);
  }

  private static ContributionId id(int replica, long sequence) {
    return new ContributionId(replica, sequence);
  }
}
