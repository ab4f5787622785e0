package dev.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.model.testing.Seeds;
import dev.millrace.simulate.job.Defect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Runs of whole jobs in virtual time; deploy/bin/simulate makes more of them. */
class SimulatedRunTest {

  private static final long SECONDS = 5;

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

  /** An hour has tens of thousands. */
  @Test
  void aRunLeavesNothingBehind() {
    for (long seed = 0; seed < 60; seed++) {
      new Run(seed, fault -> true, null).run();

      assertThat(ReplicaLinks.inUse()).as("links after seed %d", seed).isZero();
    }
  }

  /** Examples that waited at a checkpoint are lost: some restore shows it, and few faults do. */
  @Test
  void whatARestoreLosesIsFoundAndShrunk() {
    Supplier<Defect> defect = PlantedDefects.all().get("restore: examples that waited are lost");
    Run.Result failed = firstFailing(defect);

    assertThat(failed.violationOrNull().invariant()).contains("every record");
    List<Integer> fewest =
        new Shrinker(
                failed.seed(),
                failed.violationOrNull().invariant(),
                defect,
                TimeUnit.SECONDS.toNanos(5))
            .shrink(failed.struck());
    assertThat(fewest).hasSizeBetween(1, 5);
    Set<Integer> kept = new HashSet<>(fewest);
    assertThat(new Run(failed.seed(), kept::contains, null).run().violationOrNull()).isNull();
  }

  private static Run.Result firstFailing(Supplier<Defect> defect) {
    for (long seed = 0; ; seed++) {
      Run.Result result = new Run(seed, fault -> true, defect.get(), null).run();
      if (result.violationOrNull() != null) {
        return result;
      }
    }
  }
}
