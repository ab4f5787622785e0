package dev.millrace.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A model that has learned ten records of one partition, all of the key {@code a}. */
class FoundRecordsTest {

  private static final Partition PLACE = new Partition("clicks", 0);
  private static final int TAKEN = 10;

  private final RecordSet forgotten = new RecordSet();

  @Test
  void whatWasForgottenBeforeIsNotKnown() {
    forgotten.add(new RecordRun("clicks", 0, 2, 3));

    FoundRecords found = found("a", 0, 12);

    assertThat(found.known().runs()).extracting(RecordRun::text).containsExactly("0:0+2", "0:5+5");
    assertThat(found.before().runs()).extracting(RecordRun::text).containsExactly("0:2+3");
    assertThat(found.later()).isEqualTo(2);
    assertThat(found.gone()).isZero();
  }

  @Test
  void ifAllWereForgottenNoneIsKnown() {
    forgotten.add(new RecordRun("clicks", 0, 0, TAKEN));

    FoundRecords found = found("a", 0, TAKEN);
    found.addNamed(RecordSet.of(List.of(new RecordRun("clicks", 0, 3, 4))));

    assertThat(found.known().isEmpty()).isTrue();
    assertThat(found.before().count()).isEqualTo(TAKEN);
    assertThat(found.unknown().isEmpty()).isTrue();
  }

  /** Whether those that are gone were forgotten can't be told, since records may be named twice. */
  @Test
  void whatWasForgottenAndDeletedIsToldOfThoseThatAreGone() {
    forgotten.add(new RecordRun("clicks", 0, 0, 3));

    FoundRecords found = found("a", 4, TAKEN);

    assertThat(found.gone()).isEqualTo(4);
    assertThat(found.forgottenAndGone()).isEqualTo(3);
  }

  @Test
  void whatIsNamedAndWasNeverLearnedIsTold() {
    forgotten.add(new RecordRun("clicks", 0, 1, 1));

    FoundRecords found = found("b", 0, TAKEN);
    found.addNamed(
        RecordSet.of(
            List.of(
                new RecordRun("clicks", 0, 0, 3),
                new RecordRun("clicks", 0, 8, 4),
                new RecordRun("clicks", 1, 0, 2),
                new RecordRun("clcks", 0, 0, 1))));

    assertThat(found.known().runs())
        .extracting(RecordRun::text)
        .containsExactly("0:0+1", "0:2+1", "0:8+2");
    assertThat(found.before().runs()).extracting(RecordRun::text).containsExactly("0:1+1");
    assertThat(found.unknown().runs())
        .containsExactly(
            new RecordRun("clcks", 0, 0, 1),
            new RecordRun("clicks", 0, 10, 2),
            new RecordRun("clicks", 1, 0, 2));
  }

  /** Looks at the records of the topic that are still there, for those of a key. */
  private FoundRecords found(String key, long from, long end) {
    Ledger taken = new Ledger();
    for (long offset = 0; offset < TAKEN; offset++) {
      taken.learned(PLACE, offset);
    }
    FoundRecords found = new FoundRecords(List.of(RecordCondition.key(key)), taken, forgotten);
    for (long offset = from; offset < end; offset++) {
      found.look(
          new RawRecord(PLACE, offset, 0, "a".getBytes(StandardCharsets.UTF_8), new byte[0]));
    }
    return found;
  }
}
