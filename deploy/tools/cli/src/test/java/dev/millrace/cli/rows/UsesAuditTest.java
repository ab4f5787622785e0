package dev.millrace.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.audit.Finding;
import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.cli.audit.TableAudit;
import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.fields.IdHash;
import dev.millrace.job.options.InputOptions;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** Twelve records of three users, of which ten were learned, one waits, and one is no example. */
class UsesAuditTest {

  private static final Partition PARTITION = new Partition("examples", 0);
  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 1},
       {"path": "clicked", "role": "label"}]
      """;
  private static final Configuration OPTIONS =
      new Configuration().set(InputOptions.FORMAT, "json").set(InputOptions.FIELDS, FIELDS);

  private final Map<Long, Integer> uses = new TreeMap<>();
  private Map<String, Long> held = Map.of();
  private final RecordIds records = RecordIds.of(OPTIONS, 2).orElseThrow();

  private void read() {
    for (int offset = 0; offset < 12; offset++) {
      String user = "u" + offset % 3;
      String record = offset == 4 ? "{}{" : "{\"user\":\"%s\",\"clicked\":1}".formatted(user);
      records.add(record.getBytes(UTF_8));
      if (offset < 11 && offset != 4) {
        uses.merge(IdHash.of("users", user), 1, Integer::sum);
      }
    }
  }

  private TableAudit audited(RecordIds idsOrNull, long heldOut) throws IOException {
    SavedTable table = RowBytes.table("users", 1, uses.size());
    StoredTables stored =
        new StoredTables(
            List.of(table),
            (tables, consumer) -> {
              SavedRow row = new SavedRow(table);
              for (Map.Entry<Long, Integer> one : uses.entrySet()) {
                consumer.accept(0, RowBytes.fill(row, one.getKey(), one.getValue(), 0, 0.5f));
              }
            },
            () -> held);
    List<ConsumedRecords> taken = List.of(taken(heldOut));
    Held inTopic = new Held(span(0, 11), 0, 12, false, Partition.NO_ID);
    Audit audit =
        Audit.of("savepoint", "1.2", taken, (partition, first, last) -> Optional.of(inTopic));
    assertThat(audit.finding()).isEqualTo(Finding.COMPLETE);
    List<TableAudit> found =
        new UsesAudit(stored, records.columns(), new long[] {1})
            .of(audit, taken, idsOrNull, ReadingProgress.NONE);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static ConsumedRecords taken(long heldOut) {
    Span learned = span(0, 3).plus(span(5 + heldOut, 10));
    Span held = heldOut == 0 ? Span.EMPTY : span(5, 4 + heldOut);
    return new ConsumedRecords(PARTITION, learned, span(4, 4), held, Span.EMPTY, span(11, 11));
  }

  private static Span span(long first, long last) {
    Span span = Span.EMPTY;
    for (long offset = first; offset <= last; offset++) {
      span = span.plus(offset);
    }
    return span;
  }

  @Test
  void everyUseIsOneOfARecordThatWasLearned() throws IOException {
    read();

    assertThat(audited(records, 0))
        .isEqualTo(new TableAudit("users", 10, 0, 0, 10L, Finding.COMPLETE, null));
  }

  @Test
  void aUseThatARowHasLostIsMissing() throws IOException {
    read();
    uses.merge(IdHash.of("users", "u1"), -1, Integer::sum);

    TableAudit found = audited(records, 0);

    assertThat(found.finding()).isEqualTo(Finding.WRONG);
    assertThat(found.reason()).isEqualTo("1 uses missing");
  }

  @Test
  void aUseThatIsHeldIsInNoRow() throws IOException {
    read();
    uses.merge(IdHash.of("users", "u1"), -1, Integer::sum);
    held = Map.of("users", 1L);

    assertThat(audited(records, 0).finding()).isEqualTo(Finding.COMPLETE);
  }

  @Test
  void aUseThatWasCountedTwiceIsTooMany() throws IOException {
    read();
    uses.merge(IdHash.of("users", "u2"), 1, Integer::sum);

    assertThat(audited(records, 0).reason()).isEqualTo("1 uses too many");
  }

  @Test
  void whatCantBeComparedIsSaid() throws IOException {
    List<String> reasons = new ArrayList<>();
    read();
    reasons.add(audited(null, 0).reason());
    reasons.add(audited(records, 2).reason());
    RecordIds others =
        RecordIds.of(
                new Configuration(OPTIONS)
                    .set(InputOptions.FIELDS, FIELDS.replace("\"users\"", "\"people\"")),
                2)
            .orElseThrow();
    reasons.add(audited(others, 0).reason());
    reasons.add(audited(RecordIds.of(OPTIONS, 2).orElseThrow(), 0).reason());

    assertThat(reasons.get(0)).contains("--config");
    assertThat(reasons.get(1)).contains("held out");
    assertThat(reasons.get(2)).contains("[user of people], and the model has [user of users]");
    assertThat(reasons.get(3)).contains("0 records are examples");
    assertThat(RecordIds.of(new Configuration(), 2)).isEmpty();
  }
}
