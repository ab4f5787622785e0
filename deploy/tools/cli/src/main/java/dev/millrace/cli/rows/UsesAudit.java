package dev.millrace.cli.rows;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.audit.Finding;
import dev.millrace.cli.audit.PartitionAudit;
import dev.millrace.cli.audit.TableAudit;
import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.history.HistoryLines;
import dev.millrace.model.shape.IdColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares how often rows were used with the ids of the records behind them. A step pushes each id
 * of its examples, whether its contribution is refused later or not; an example that waits for its
 * minibatch has used no row, and neither has one whose push waits for the end of its round.
 */
public final class UsesAudit {

  private final StoredTables stored;
  private final List<IdColumn> fields;
  private final long[] waiting;

  /**
   * @param fields of ids, of the model
   * @param waiting ids of each field that wait for their minibatch
   */
  public UsesAudit(StoredTables stored, List<IdColumn> fields, long[] waiting) {
    this.stored = stored;
    this.fields = fields;
    this.waiting = waiting.clone();
  }

  /**
   * Reads all rows, and compares.
   *
   * @param audit of the partitions
   * @param taken records that it is of
   * @param recordsOrNull all of these; null where nobody knows how to read them
   * @throws IOException if rows can't be read
   */
  public List<TableAudit> of(
      Audit audit, List<ConsumedRecords> taken, RecordIds recordsOrNull, ReadingProgress progress)
      throws IOException {
    long[] inRows = new long[stored.tables().size()];
    stored.forEach((table, row) -> inRows[table] += row.uses(), progress);
    String reason = reason(audit, taken, recordsOrNull);
    Map<String, Long> ids = reason == null ? used(recordsOrNull) : Map.of();
    List<TableAudit> found = new ArrayList<>();
    for (int i = 0; i < inRows.length; i++) {
      SavedTable table = stored.tables().get(i);
      RowCounts counts = table.counts();
      found.add(
          reason == null
              ? TableAudit.of(
                  table.name(),
                  inRows[i],
                  counts.usesWithoutRow(),
                  counts.usesExpired(),
                  ids.getOrDefault(table.name(), 0L))
              : TableAudit.unknown(
                  table.name(), inRows[i], counts.usesWithoutRow(), counts.usesExpired(), reason));
    }
    return found;
  }

  /** Returns the ids of records by table, less those that wait, and those whose push does. */
  private Map<String, Long> used(RecordIds records) throws IOException {
    long[] counts = records.counts();
    Map<String, Long> ids = new HashMap<>();
    for (int field = 0; field < counts.length; field++) {
      long used = counts[field] - (field < waiting.length ? waiting[field] : 0);
      ids.merge(fields.get(field).table(), used, Long::sum);
    }
    stored.heldUses().forEach((table, held) -> ids.merge(table, -held, Long::sum));
    return ids;
  }

  /** Says why nothing can be compared; null where it can. */
  private String reason(Audit audit, List<ConsumedRecords> taken, RecordIds recordsOrNull) {
    if (recordsOrNull == null) {
      return "name the job's options with --config, so that records can be read";
    }
    if (!names(recordsOrNull.columns()).equals(names(fields))) {
      return "the options have the fields of ids %s, and the model has %s"
          .formatted(names(recordsOrNull.columns()), names(fields));
    }
    if (audit.finding() != Finding.COMPLETE) {
      return "partitions must be complete first";
    }
    long heldOut = 0;
    long learned = 0;
    long inTopics = 0;
    for (ConsumedRecords one : taken) {
      if (one.all().count() > 0 && HistoryLines.isFile(one.partition())) {
        return "ids of files of history aren't counted";
      }
      heldOut += one.heldOut().count();
      learned += one.learned().count();
      inTopics += one.all().count();
    }
    if (heldOut > 0) {
      return "which records are held out isn't known";
    }
    long read = audit.partitions().stream().mapToLong(PartitionAudit::inTopic).sum();
    if (read != inTopics) {
      return "some records aren't there any more";
    }
    if (recordsOrNull.rejected() > audit.rejected() + audit.underWay()
        || recordsOrNull.examples() < learned) {
      return "by these options %s records are examples and %s aren't, and the job found otherwise"
          .formatted(recordsOrNull.examples(), recordsOrNull.rejected());
    }
    return null;
  }

  private static List<String> names(List<IdColumn> columns) {
    return columns.stream().map(column -> column.name() + " of " + column.table()).toList();
  }
}
