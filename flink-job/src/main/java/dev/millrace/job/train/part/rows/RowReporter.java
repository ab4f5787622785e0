package dev.millrace.job.train.part.rows;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.rows.HottestRows;
import dev.millrace.exchange.rows.RowCounts;
import dev.millrace.exchange.rows.RowReport;
import dev.millrace.exchange.rows.RowTable;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/**
 * Makes a metric record of type {@code rows} of what all shards report, once each of them has
 * reported again; docs/internals/formats.md describes it.
 */
final class RowReporter implements FlatMapFunction<RowReport, String> {

  private static final long serialVersionUID = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<RowTable> tables;

  /** The newest reports, of each table by its shard; null before the first record. */
  private transient RowReport[][] newest;

  private transient boolean[][] isNew;

  /** {@code tables} are in the order of their numbers. */
  RowReporter(List<RowTable> tables) {
    this.tables = List.copyOf(tables);
  }

  @Override
  public void flatMap(RowReport report, Collector<String> records) {
    if (newest == null) {
      newest = new RowReport[tables.size()][report.shards()];
      isNew = new boolean[tables.size()][report.shards()];
    }
    newest[report.table()][report.shard()] = report;
    isNew[report.table()][report.shard()] = true;
    for (boolean[] table : isNew) {
      for (boolean shard : table) {
        if (!shard) {
          return;
        }
      }
    }
    isNew = new boolean[tables.size()][report.shards()];
    records.collect(record(System.currentTimeMillis()));
  }

  private String record(long time) {
    ObjectNode record = JSON.createObjectNode().put("type", "rows").put("time", time);
    ArrayNode told = record.putArray("tables");
    for (int table = 0; table < tables.size(); table++) {
      put(told.addObject().put("table", tables.get(table).name()), newest[table]);
    }
    return record.toString();
  }

  private static void put(ObjectNode table, RowReport[] reports) {
    RowCounts counts = new RowCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    HottestRows hottest = new HottestRows(RowReport.HOTTEST);
    long dirty = 0;
    long uses = 0;
    double norms = 0;
    int normed = 0;
    for (RowReport report : reports) {
      counts = counts.plus(report.counts());
      dirty += report.dirty();
      uses += report.uses();
      norms += report.norms();
      normed += report.normed();
      for (int i = 0; i < report.hottest().length; i++) {
        hottest.add(report.hottest()[i], report.hottestUses()[i]);
      }
    }
    table
        .put("rows", counts.rows())
        .put("created", counts.created())
        .put("expired", counts.expired())
        .put("waiting", counts.waiting())
        .put("refused", counts.refused())
        .put("uses", uses)
        .put("hits", counts.hits())
        .put("misses", counts.misses())
        .put("dirty", dirty);
    if (normed > 0) {
      table.put("norm", (float) (norms / normed));
    }
    ArrayNode ids = table.putArray("hottest");
    long[] hottestIds = hottest.ids();
    long[] hottestUses = hottest.uses();
    for (int i = 0; i < hottestIds.length; i++) {
      // As text: JavaScript has no whole numbers of 64 bits.
      ids.addObject().put("id", Long.toString(hottestIds[i])).put("uses", hottestUses[i]);
    }
  }
}
