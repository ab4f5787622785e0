package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Ledger.Span;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LedgerTest {

  private static final Partition A0 = new Partition("a", 0);
  private static final Partition A1 = new Partition("a", 1);
  private static final Partition B0 = new Partition("b", 0);

  @Test
  void countsWhatWasLearnedAndRejectedPerPartition() {
    Ledger ledger = new Ledger();
    ledger.learned(A0, 7);
    ledger.learned(A0, 5);
    ledger.rejected(A0, 6);
    ledger.learned(B0, 0);

    assertThat(ledger.entries().get(A0).learned()).isEqualTo(new Span(2, 12, 5, 7));
    assertThat(ledger.entries().get(A0).rejected()).isEqualTo(new Span(1, 6, 6, 6));
    assertThat(ledger.entries().get(A0).taken()).isEqualTo(new Span(3, 18, 5, 7));
    assertThat(ledger.entries().get(B0).rejected()).isEqualTo(Span.EMPTY);
    assertThat(ledger.learnedCount()).isEqualTo(3);
    assertThat(ledger.rejectedCount()).isEqualTo(1);
    assertThat(ledger.entries().keySet()).containsExactly(A0, B0);
  }

  @Test
  void mergesLikeOneLedgerOfAllRecordsInAnyOrder() {
    long seed = Seeds.next();
    System.out.printf("Ledger merge: seed %d%n", seed);
    Random random = new Random(seed);
    Partition[] partitions = {A0, A1, B0};
    Ledger whole = new Ledger();
    Ledger[] parts = {new Ledger(), new Ledger(), new Ledger()};
    for (long offset = 0; offset < 300; offset++) {
      Partition partition = partitions[random.nextInt(3)];
      Ledger part = parts[random.nextInt(3)];
      if (random.nextInt(10) == 0) {
        whole.rejected(partition, offset);
        part.rejected(partition, offset);
      } else {
        whole.learned(partition, offset);
        part.learned(partition, offset);
      }
    }

    assertThat(merged(parts[0], parts[1], parts[2])).isEqualTo(whole).hasSameHashCodeAs(whole);
    assertThat(merged(parts[2], parts[0], parts[1])).isEqualTo(whole);
  }

  @Test
  void aDoubledAndALostRecordShow() {
    Ledger right = new Ledger();
    Ledger wrong = new Ledger();
    for (long offset = 0; offset < 4; offset++) {
      right.learned(A0, offset);
      wrong.learned(A0, offset == 2 ? 1 : offset);
    }

    assertThat(wrong).isNotEqualTo(right);
    assertThat(wrong.learnedCount()).isEqualTo(right.learnedCount());
  }

  @Test
  void aCopyStandsAlone() {
    Ledger ledger = new Ledger();
    ledger.learned(A0, 1);
    Ledger copy = ledger.copy();
    ledger.learned(A0, 2);

    assertThat(copy.learnedCount()).isEqualTo(1);
    assertThat(new Ledger().isEmpty()).isTrue();
    assertThat(copy.isEmpty()).isFalse();
  }

  @Test
  void countsApartWhatIsHeldOut() throws IOException {
    Ledger ledger = new Ledger();
    ledger.learned(A0, 7);
    ledger.heldOut(A0, 8);
    Ledger more = new Ledger();
    more.heldOut(A0, 9);
    more.learned(A0, 10);
    more.rejected(A0, 11);
    ledger.merge(more);
    assertThat(ledger.entries().get(A0).heldOut()).isEqualTo(new Span(2, 17, 8, 9));
    assertThat(ledger.entries().get(A0).taken()).isEqualTo(new Span(5, 45, 7, 11));

    Ledger rejected = new Ledger();
    rejected.reject(ledger);
    assertThat(rejected.entries().get(A0).rejected()).isEqualTo(new Span(3, 28, 7, 11));
    assertThat(rejected.entries().get(A0).heldOut()).isEqualTo(new Span(2, 17, 8, 9));
    assertThat(reread(ledger)).isEqualTo(ledger);
  }

  private static Ledger reread(Ledger ledger) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Ledger.WIRE.write(ledger, new DataOutputStream(bytes));
    return Ledger.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  private static Ledger merged(Ledger... ledgers) {
    Ledger merged = new Ledger();
    for (Ledger ledger : ledgers) {
      merged.merge(ledger);
    }
    return merged;
  }
}
