package dev.millrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.cli.models.AuditText;
import dev.millrace.model.Ledger;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AuditTest {

  private static final Partition PARTITION = new Partition("examples", 3);

  static long[] seeds() {
    return new long[] {1, 2, 3, Seeds.next()};
  }

  /** Whatever gaps transactions have left, and whatever became of each record. */
  @ParameterizedTest
  @MethodSource("seeds")
  void findsACompleteLedgerComplete(long seed) throws IOException {
    Random random = new Random(seed);
    SortedSet<Long> offsets = offsets(random);
    Ledger model = new Ledger();
    Ledger underWay = new Ledger();
    for (long offset : offsets) {
      take(model, underWay, offset, random);
    }

    Audit audit = audit(model, underWay, held(offsets, false));

    assertThat(audit.finding()).as("seed %d", seed).isEqualTo(Finding.COMPLETE);
    assertThat(audit.learned() + audit.rejected() + audit.skipped() + audit.underWay())
        .isEqualTo(offsets.size());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void namesTheOneRecordThatIsMissing(long seed) throws IOException {
    Random random = new Random(seed);
    SortedSet<Long> offsets = offsets(random);
    long lost = anyInside(offsets, random);
    Ledger model = new Ledger();
    offsets.stream().filter(offset -> offset != lost).forEach(o -> model.learned(PARTITION, o));

    PartitionAudit found = one(audit(model, new Ledger(), held(offsets, false)));

    assertThat(found.finding()).as("seed %d", seed).isEqualTo(Finding.WRONG);
    assertThat(found.missing()).isEqualTo(1);
    assertThat(found.doubled()).isZero();
    assertThat(found.offset()).isEqualTo(lost);
    assertThat(found.reason())
        .isEqualTo("1 missing: offset %s, if it is the only one".formatted(lost));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void namesTheOneRecordThatWasTakenTwice(long seed) throws IOException {
    Random random = new Random(seed);
    SortedSet<Long> offsets = offsets(random);
    long twice = anyInside(offsets, random);
    Ledger model = new Ledger();
    offsets.forEach(offset -> model.learned(PARTITION, offset));
    model.rejected(PARTITION, twice);

    PartitionAudit found = one(audit(model, new Ledger(), held(offsets, false)));

    assertThat(found.finding()).as("seed %d", seed).isEqualTo(Finding.WRONG);
    assertThat(found.missing()).isZero();
    assertThat(found.doubled()).isEqualTo(1);
    assertThat(found.offset()).isEqualTo(twice);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void seesOneMissingAndAnotherTakenTwice(long seed) throws IOException {
    Random random = new Random(seed);
    SortedSet<Long> offsets = offsets(random);
    long lost = anyInside(offsets, random);
    long twice = offsets.first();
    Ledger model = new Ledger();
    offsets.stream().filter(offset -> offset != lost).forEach(o -> model.learned(PARTITION, o));
    model.learned(PARTITION, twice);

    PartitionAudit found = one(audit(model, new Ledger(), held(offsets, false)));

    assertThat(found.finding()).as("seed %d", seed).isEqualTo(Finding.WRONG);
    assertThat(found.missing()).isEqualTo(1);
    assertThat(found.doubled()).isEqualTo(1);
  }

  @Test
  void aLedgerWithoutGapsIsCompleteThoughRetentionHasDeletedRecords() throws IOException {
    for (long last = 19; last <= 20; last++) {
      assertThat(one(audit(learned(5, last), new Ledger(), heldFrom(8, last))).finding())
          .isEqualTo(Finding.COMPLETE);
    }
  }

  @Test
  void cantTellWhatAGapIsWhereRetentionHasDeletedRecords() throws IOException {
    Ledger lacks6 = learned(5, 5);
    lacks6.merge(learned(7, 20));

    PartitionAudit found = one(audit(lacks6, new Ledger(), heldFrom(8, 20)));

    assertThat(found.finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(found.reason()).isEqualTo("records before offset 8 have been deleted");
  }

  @Test
  void retentionHidesNoRecordThatWasTakenTwiceOrIsThereAndWasNot() throws IOException {
    Ledger twice = learned(5, 20);
    twice.merge(learned(6, 6));
    Ledger lacksMany = learned(5, 5);
    lacksMany.merge(learned(20, 20));

    assertThat(one(audit(twice, new Ledger(), heldFrom(8, 20))).doubled()).isEqualTo(1);
    assertThat(one(audit(lacksMany, new Ledger(), heldFrom(8, 20))).missing()).isEqualTo(11);
  }

  @Test
  void cantTellOfATopicThatIsAnotherOneOrGone() throws IOException {
    Ledger model = learned(0, 20);

    assertThat(one(audit(model, new Ledger(), new Held(Span.EMPTY, 0, 7, false, ""))).reason())
        .isEqualTo("it ends before offset 7: is it the same topic?");
    assertThat(one(audit(model, new Ledger(), null)).reason())
        .isEqualTo("there is no such partition");
  }

  @Test
  void ofACompactedTopicOnlyWhatIsThereCanBeMissing() throws IOException {
    Held held = new Held(learned(3, 9).entries().get(PARTITION).taken(), 0, 30, true, "");
    Ledger lacks = learned(0, 4);
    lacks.learned(PARTITION, 20);
    Ledger twice = learned(0, 9);
    twice.merge(learned(0, 9));

    Ledger gap = learned(0, 10);
    gap.merge(learned(12, 20));
    assertThat(one(audit(gap, new Ledger(), held)).finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(one(audit(learned(0, 20), new Ledger(), held)).finding())
        .isEqualTo(Finding.COMPLETE);
    assertThat(one(audit(lacks, new Ledger(), held)).missing()).isEqualTo(1);
    assertThat(one(audit(twice, new Ledger(), held)).doubled()).isEqualTo(10);
  }

  @Test
  void whatIsWrongOutweighsWhatCantBeTold() throws IOException {
    Ledger model = learned(0, 9);
    Partition gone = new Partition("gone", 0);
    model.learned(gone, 1);
    model.learned(PARTITION, 4);

    Audit audit =
        Audit.of(
            "model.zip",
            "1.7",
            taken(model, new Ledger()),
            (partition, first, last) ->
                partition.equals(gone)
                    ? Optional.empty()
                    : Optional.of(
                        held(
                            new TreeSet<>(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L)),
                            false)));

    assertThat(audit.finding()).isEqualTo(Finding.WRONG);
    assertThat(audit.doubled()).isEqualTo(1);
    assertThat(audit.partitions()).hasSize(2);
  }

  /** Though the ledger is one without gaps, and the new topic holds as many records. */
  @Test
  void nothingIsSaidOfATopicThatWasMadeAgain() throws IOException {
    Ledger model = new Ledger();
    Partition old = new Partition("topic", "A", 0);
    Partition made = new Partition("topic", "B", 0);
    for (long offset = 0; offset < 10; offset++) {
      model.learned(old, offset);
      model.learned(made, offset);
    }
    Held held = new Held(model.entries().get(made).taken(), 0, 10, false, "B");

    Audit audit = audit(model, new Ledger(), held);

    assertThat(audit.finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(audit.partitions())
        .extracting(PartitionAudit::topicId, PartitionAudit::finding, PartitionAudit::reason)
        .containsExactly(
            tuple(
                "A", Finding.UNKNOWN, "the topic was deleted and made again, and has the id B now"),
            tuple("B", Finding.COMPLETE, null));
    assertThat(AuditText.text(audit))
        .contains("topic's id", "can't be checked")
        .doesNotContain("exactly once");
  }

  private static Held heldFrom(long beginning, long last) {
    return new Held(
        learned(beginning, last).entries().get(PARTITION).taken(), beginning, 30, false, "");
  }

  private static SortedSet<Long> offsets(Random random) {
    SortedSet<Long> offsets = new TreeSet<>();
    long offset = random.nextInt(1000);
    for (int i = 0; i < 500; i++) {
      offsets.add(offset);
      offset += random.nextInt(10) == 0 ? 1 + random.nextInt(5) : 1;
    }
    return offsets;
  }

  private static long anyInside(SortedSet<Long> offsets, Random random) {
    return offsets.stream().skip(1 + random.nextInt(offsets.size() - 2)).findFirst().orElseThrow();
  }

  private static void take(Ledger model, Ledger underWay, long offset, Random random) {
    int fate = random.nextInt(4);
    if (fate == 0) {
      model.rejected(PARTITION, offset);
    } else if (fate == 3) {
      model.skipped(PARTITION, offset);
    } else {
      (fate == 1 ? model : underWay).learned(PARTITION, offset);
    }
  }

  private static Ledger learned(long first, long last) {
    Ledger ledger = new Ledger();
    for (long offset = first; offset <= last; offset++) {
      ledger.learned(PARTITION, offset);
    }
    return ledger;
  }

  private static Held held(SortedSet<Long> offsets, boolean compacted) {
    Span records = Span.EMPTY;
    for (long offset : offsets) {
      records = records.plus(offset);
    }
    return new Held(records, offsets.first(), offsets.last() + 1, compacted, "");
  }

  private static Audit audit(Ledger model, Ledger underWay, Held heldOrNull) throws IOException {
    return Audit.of(
        "model.zip",
        "1.7",
        taken(model, underWay),
        (partition, first, last) -> Optional.ofNullable(heldOrNull));
  }

  private static List<ConsumedRecords> taken(Ledger model, Ledger underWay) {
    return model.entries().entrySet().stream()
        .map(
            entry ->
                new ConsumedRecords(
                    entry.getKey(),
                    entry.getValue().learned(),
                    entry.getValue().rejected(),
                    entry.getValue().heldOut(),
                    entry.getValue().skipped(),
                    underWay.entries().containsKey(entry.getKey())
                        ? underWay.entries().get(entry.getKey()).taken()
                        : Span.EMPTY))
        .toList();
  }

  private static PartitionAudit one(Audit audit) {
    assertThat(audit.partitions()).hasSize(1);
    return audit.partitions().get(0);
  }
}
