package dev.millrace.cli.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.Finding;
import dev.millrace.cli.audit.TableAudit;
import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.cli.models.AuditText;
import dev.millrace.cli.rows.TableDiff.Change;
import dev.millrace.cli.rows.TableSummary.HotId;
import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tables in memory: looked into, and compared. */
class TablesTest {

  /** Rows of a table by id, of two values each; an id has been used as often as its first value. */
  private static StoredTables stored(String name, Map<Long, float[]> rows) {
    SavedTable table = RowBytes.table(name, 2, rows.size());
    return new StoredTables(
        List.of(table),
        (tables, consumer) -> {
          SavedRow row = new SavedRow(table);
          for (Map.Entry<Long, float[]> one : rows.entrySet()) {
            int uses = (int) Math.abs(one.getValue()[0]);
            consumer.accept(0, RowBytes.fill(row, one.getKey(), uses, 0, one.getValue()));
          }
        },
        Map::of);
  }

  private static Map<Long, float[]> rows(int count) {
    Map<Long, float[]> rows = new TreeMap<>();
    for (long i = 0; i < count; i++) {
      rows.put(i - 5, new float[] {3 * i, -4 * i});
    }
    return rows;
  }

  @Test
  void aSummaryHasNormsAndWhatIsUsedMost() throws IOException {
    List<TableSummary> found = TableSummary.of(stored("users", rows(101)), ReadingProgress.NONE);

    TableSummary users = found.get(0);
    assertThat(users.rows()).isEqualTo(101);
    assertThat(users.bytes()).isEqualTo(101 * 24);
    assertThat(users.uses()).isEqualTo(3 * 5050);
    assertThat(users.meanNorm()).isEqualTo(250, within(1e-9));
    assertThat(users.largestNorm()).isEqualTo(500);
    assertThat(users.hottest())
        .hasSize(10)
        .startsWith(new HotId(95, 300), new HotId(94, 297))
        .endsWith(new HotId(86, 273));
    assertThat(TablesText.of(found))
        .containsPattern("users +2 +sgd +101 +2.4 KB")
        .contains("most used of users: 95 (300), 94 (297), ");
  }

  @Test
  void aTableWithoutRowsHasNoNorms() throws IOException {
    List<TableSummary> found = TableSummary.of(stored("users", Map.of()), ReadingProgress.NONE);

    assertThat(found.get(0).meanNorm()).isZero();
    assertThat(found.get(0).hottest()).isEmpty();
    assertThat(TablesText.of(found)).contains("users").doesNotContain("most used");
  }

  @Test
  void aDifferenceHasRowsThatCameWentAndChanged() throws IOException {
    Map<Long, float[]> before = rows(3_000);
    Map<Long, float[]> after = rows(3_010);
    after.remove(7L);
    after.remove(8L);
    after.get(100L)[0] += 3;
    after.get(100L)[1] += 4;
    after.get(200L)[1] += 1;

    List<TableDiff> found =
        RowsDiff.between(stored("users", before), stored("users", after), ReadingProgress.NONE);

    assertThat(found)
        .containsExactly(
            new TableDiff(
                "users", 10, 2, 2, 2_996, 3, List.of(new Change(100, 5), new Change(200, 1))));
    assertThat(TableDiff.text(found)).contains("changed most of users: 100 (5.000), 200 (1.000)");
  }

  @Test
  void tablesThatOneSideHasCameOrWent() throws IOException {
    List<TableDiff> found =
        RowsDiff.between(stored("a", rows(4)), stored("b", rows(5)), ReadingProgress.NONE);

    assertThat(found)
        .containsExactly(
            new TableDiff("a", 0, 4, 0, 0, 0, List.of()),
            new TableDiff("b", 5, 0, 0, 0, 0, List.of()));
  }

  @Test
  void otherDimensionsArentCompared() {
    StoredTables other =
        new StoredTables(List.of(RowBytes.table("a", 3, 0)), (tables, consumer) -> {}, Map::of);

    assertThatThrownBy(() -> RowsDiff.between(stored("a", rows(4)), other, ReadingProgress.NONE))
        .hasMessage("Table 'a' has rows of 2 values in the first, and of 3 in the second");
  }

  @Test
  void aUseThatIsLostOrCountedTwiceIsWrong() throws IOException {
    assertThat(TableAudit.of("users", 5, 3, 2, 10).finding()).isEqualTo(Finding.COMPLETE);
    TableAudit lost = TableAudit.of("users", 5, 3, 1, 10);
    assertThat(lost.finding()).isEqualTo(Finding.WRONG);
    assertThat(lost.reason()).isEqualTo("1 uses missing");
    assertThat(TableAudit.of("users", 5, 3, 4, 10).reason()).isEqualTo("2 uses too many");

    Audit complete = Audit.of("savepoint", "1.2", List.of(), null);
    Audit audit = complete.with(List.of(lost));
    assertThat(audit.finding()).isEqualTo(Finding.WRONG);
    assertThat(AuditText.text(audit)).contains("WRONG: 1 uses missing", "more or less often");
    assertThat(AuditText.json(audit)).contains("\"ofRecords\" : 10");
    assertThat(AuditText.json(complete)).doesNotContain("tables");
    assertThat(complete.with(List.of(TableAudit.unknown("users", 5, 3, 1, "why"))).finding())
        .isEqualTo(Finding.COMPLETE);
  }
}
