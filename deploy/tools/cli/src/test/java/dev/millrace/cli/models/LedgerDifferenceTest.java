package dev.millrace.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.models.LedgerDifference.Records;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.PartitionProgress;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerDifferenceTest {

  private static final Partition PARTITION = new Partition("topic", 3);

  @Test
  void theOneThatWentOnHasTakenWhatFollows() {
    Ledger before = learned(0, 1, 2, 3);
    Ledger after = learned(0, 1, 2, 3, 4, 5, 7);
    after.rejected(PARTITION, 6);

    LedgerDifference difference = difference(before, after);

    assertThat(difference.topic()).isEqualTo("topic");
    assertThat(difference.partition()).isEqualTo(3);
    assertThat(difference.learnedA()).isEqualTo(4);
    assertThat(difference.learnedB()).isEqualTo(7);
    assertThat(difference.onlyA()).isEqualTo(Records.NONE);
    assertThat(difference.onlyB()).isEqualTo(new Records(4, 4L, 7L));
    assertThat(difference(after, before).onlyA()).isEqualTo(new Records(4, 4L, 7L));
  }

  /** As transactions leave them: a partition is taken in order all the same. */
  @Test
  void gapsDoNotMatterWhereBothBeganAtTheSameRecord() {
    LedgerDifference difference = difference(learned(10, 12, 14), learned(10, 12, 14, 20, 30));

    assertThat(difference.onlyB()).isEqualTo(new Records(2, 15L, 30L));
    assertThat(difference.onlyA()).isEqualTo(Records.NONE);
  }

  @Test
  void aPartitionThatOneHasNeverSeenIsAllTheOthers() {
    LedgerDifference difference = difference(new Ledger(), learned(5, 6));

    assertThat(difference.onlyA()).isEqualTo(Records.NONE);
    assertThat(difference.onlyB()).isEqualTo(new Records(2, 5L, 6L));
  }

  @Test
  void rangesThatOverlapAreToldApart() {
    LedgerDifference difference = difference(learned(0, 1, 2, 3), learned(2, 3, 4));

    assertThat(difference.onlyA()).isEqualTo(new Records(2, 0L, 1L));
    assertThat(difference.onlyB()).isEqualTo(new Records(1, 4L, 4L));
  }

  @Test
  void otherwiseItCannotBeTold() {
    LedgerDifference difference = difference(learned(0, 2, 9), learned(1, 2, 7));

    assertThat(difference.onlyA()).isNull();
    assertThat(difference.onlyB()).isNull();
  }

  @Test
  void partitionsAreInTheOrderOfTheirNumbers() {
    Ledger many = new Ledger();
    for (int partition : new int[] {10, 9, 2}) {
      many.learned(new Partition("topic", partition), 0);
    }

    assertThat(LedgerDifference.of(List.of(), PartitionProgress.of(many)))
        .extracting(LedgerDifference::partition)
        .containsExactly(2, 9, 10);
  }

  private static LedgerDifference difference(Ledger a, Ledger b) {
    return LedgerDifference.of(PartitionProgress.of(a), PartitionProgress.of(b)).get(0);
  }

  private static Ledger learned(long... offsets) {
    Ledger ledger = new Ledger();
    for (long offset : offsets) {
      ledger.learned(PARTITION, offset);
    }
    return ledger;
  }
}
