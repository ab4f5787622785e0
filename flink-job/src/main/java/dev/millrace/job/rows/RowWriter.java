package dev.millrace.job.rows;

import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Makes a record of each change of a row, and of each table. */
public final class RowWriter implements FlatMapFunction<RowChange, OutputRecord> {

  private static final long serialVersionUID = 1;

  private final String topic;
  private final List<RowTable> tables;
  private transient byte[][] keys;

  /** Writes to a topic; {@code tables} are in the order of their numbers. */
  public RowWriter(String topic, List<RowTable> tables) {
    this.topic = topic;
    this.tables = List.copyOf(tables);
  }

  @Override
  public void flatMap(RowChange change, Collector<OutputRecord> records) {
    if (!change.saysThatMoreComes()) {
      records.collect(record(change));
    }
  }

  /** Returns the record of a change. */
  OutputRecord record(RowChange change) {
    if (keys == null) {
      keys = tables.stream().map(table -> RowRecords.key(table.name())).toArray(byte[][]::new);
    }
    byte[] table = keys[change.table()];
    if (change.isOfTable()) {
      return OutputRecord.of(topic, table, RowRecords.describe(tables.get(change.table())));
    }
    return OutputRecord.of(
        topic,
        RowRecords.key(table, change.id()),
        change.valuesOrNull() == null ? null : RowRecords.value(change.valuesOrNull()));
  }
}
