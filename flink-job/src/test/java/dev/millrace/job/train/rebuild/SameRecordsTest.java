package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.util.List;
import org.junit.jupiter.api.Test;

class SameRecordsTest {

  private static final Partition CLICKS = new Partition("clicks", "id", 0);

  private final Ledger saved = new Ledger();
  private final Ledger made = new Ledger();
  private final RecordSet forgotten = RecordSet.of(List.of(new RecordRun("clicks", 0, 1, 1)));

  SameRecordsTest() {
    for (int offset = 0; offset < 4; offset++) {
      saved.learned(CLICKS, offset);
    }
    saved.rejected(CLICKS, 4);
    made.learned(CLICKS, 0);
    made.skipped(CLICKS, 1);
    made.learned(CLICKS, 2);
  }

  private void require(boolean someEnded) {
    SameRecords.require(saved, made, forgotten, someEnded);
  }

  @Test
  void recordsMayHaveAnotherFate() {
    // A log has no ids, and what was refused for what is forgotten is learned.
    made.learned(new Partition("clicks", "other", 0), 3);
    made.learned(CLICKS, 4);

    assertThatCode(() -> require(false)).doesNotThrowAnyException();
  }

  @Test
  void noneMayBeMissingNorAnotherBeInItsPlace() {
    made.learned(CLICKS, 3);
    assertThatThrownBy(() -> require(false))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("has taken 5 records of clicks-0, whose offsets add up to 10")
        .hasMessageContaining("4, which add up to 6");

    made.learned(CLICKS, 5);
    assertThatThrownBy(() -> require(false)).hasMessageContaining("5, which add up to 11");
    assertThatThrownBy(() -> require(true)).hasMessageContaining("5, which add up to 11");
  }

  @Test
  void noneMayBeOfAnotherPartition() {
    made.learned(CLICKS, 3);
    made.rejected(CLICKS, 4);
    made.learned(new Partition("clicks", "id", 1), 0);

    assertThatThrownBy(() -> require(true))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("has taken 0 records of clicks-1")
        .hasMessageContaining("1, which add up to 0");
  }

  /** One that was rejected, and one that is forgotten, may have been the last of a replica. */
  @Test
  void whatAReplicaRejectedAtItsEndMayBeMissing() {
    assertThatCode(() -> require(true)).doesNotThrowAnyException();

    saved.learned(CLICKS, 5);
    assertThatThrownBy(() -> require(true)).isInstanceOf(UnusableLogException.class);
  }

  @Test
  void aTopicThatWasMadeAgainIsRefusedUnlessItsRecordsAreKnown() {
    Ledger nothing = new Ledger();

    assertThatCode(() -> SameRecords.requireTopics(saved, nothing, topic -> "id"))
        .doesNotThrowAnyException();
    assertThatCode(() -> SameRecords.requireTopics(saved, nothing, topic -> Partition.NO_ID))
        .doesNotThrowAnyException();
    assertThatCode(() -> SameRecords.requireTopics(saved, saved, topic -> "new"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> SameRecords.requireTopics(saved, nothing, topic -> "new"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("'clicks' whose id was id")
        .hasMessageContaining("has the id new");
  }
}
