package dev.millrace.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @Test
  void theSameSeedCausesTheSameFaults() {
    assertThat(first(50, new FaultPlan(7, ALL))).isEqualTo(first(50, new FaultPlan(7, ALL)));
    assertThat(first(50, new FaultPlan(7, ALL))).isNotEqualTo(first(50, new FaultPlan(8, ALL)));
  }

  @Test
  void everyKindComesBeforeAnyComesAgain() {
    List<PlannedFault> faults = first(2 * ALL.size(), new FaultPlan(3, ALL));

    for (List<PlannedFault> round :
        List.of(faults.subList(0, ALL.size()), faults.subList(ALL.size(), 2 * ALL.size()))) {
      assertThat(round).extracting(PlannedFault::kind).containsExactlyInAnyOrderElementsOf(ALL);
    }
  }

  @Test
  void leavesOutWhatCannotBeCaused() {
    FaultPlan plan = new FaultPlan(3, Set.of(FaultKind.SAVEPOINT, FaultKind.RESCALE));

    assertThat(first(10, plan))
        .extracting(PlannedFault::kind)
        .containsOnly(FaultKind.SAVEPOINT, FaultKind.RESCALE);
    assertThatIllegalArgumentException().isThrownBy(() -> new FaultPlan(3, Set.of()));
  }

  @Test
  void pausesLastFromTwoToTwentySeconds() {
    FaultPlan plan = new FaultPlan(5, Set.of(FaultKind.PAUSE_TASKMANAGER));

    List<Duration> lengths = first(200, plan).stream().map(PlannedFault::length).toList();

    assertThat(lengths)
        .allSatisfy(
            length -> assertThat(length).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20)));
    // Some shorter than Flink waits for a TaskManager, some longer.
    assertThat(lengths).anyMatch(length -> length.toSeconds() < 5);
    assertThat(lengths).anyMatch(length -> length.toSeconds() > 10);
  }

  private static List<PlannedFault> first(int count, FaultPlan plan) {
    return Stream.generate(plan::next).limit(count).toList();
  }
}
