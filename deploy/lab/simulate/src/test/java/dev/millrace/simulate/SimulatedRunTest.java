package dev.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.model.testing.Seeds;
import dev.millrace.simulate.job.Defect;
import dev.millrace.simulate.task.SavedState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs of whole jobs in virtual time; deploy/bin/simulate makes more of them. */
class SimulatedRunTest {

  private static final long SECONDS = 12;

  @Test
  void everyInvariantHoldsWhateverFails() throws Exception {
    List<String> said = new ArrayList<>();
    Campaign campaign =
        new Campaign(
            new Campaign.Settings(
                Math.floorMod(Seeds.next(), 1_000_000L),
                Long.MAX_VALUE,
                TimeUnit.SECONDS.toNanos(SECONDS),
                1),
            said::add);

    assertThat(campaign.run()).as(() -> String.join("\n", said)).isTrue();
  }

  @Test
  void aSeedRepeatsARunToTheBit() {
    long seed = 7;

    Run.Result first = new Run(seed, fault -> true, null).run();
    Run.Result second = new Run(seed, fault -> true, null).run();

    assertThat(second.hash()).isEqualTo(first.hash());
    assertThat(second.events()).isEqualTo(first.events());
    assertThat(new Run(seed + 1, fault -> true, null).run().hash()).isNotEqualTo(first.hash());
  }

  /** Examples that waited at a checkpoint are lost: some restore shows it, and few faults do. */
  @Test
  void whatARestoreLosesIsFoundAndShrunk() {
    Run.Result failed = firstFailing(SimulatedRunTest::withoutWaitingExamples);

    assertThat(failed.violationOrNull().invariant()).contains("every record");
    List<Integer> fewest =
        new Shrinker(
                failed.seed(),
                failed.violationOrNull().invariant(),
                SimulatedRunTest::withoutWaitingExamples,
                TimeUnit.SECONDS.toNanos(10))
            .shrink(failed.struck());
    assertThat(fewest).hasSizeBetween(1, 3);
    Set<Integer> kept = new HashSet<>(fewest);
    assertThat(new Run(failed.seed(), kept::contains, null).run().violationOrNull()).isNull();
  }

  private static Run.Result firstFailing(Defect defect) {
    for (long seed = 0; ; seed++) {
      Run.Result result = new Run(seed, fault -> true, defect, null).run();
      if (result.violationOrNull() != null) {
        return result;
      }
    }
  }

  private static SavedState withoutWaitingExamples(String vertex, int part, SavedState state) {
    if (!state.lists().containsKey(ReplicaOperator.EXAMPLES_STATE)) {
      return state;
    }
    Map<String, List<byte[]>> lists = new HashMap<>(state.lists());
    lists.put(ReplicaOperator.EXAMPLES_STATE, List.of());
    return new SavedState(lists, state.broadcasts(), state.keyed());
  }
}
