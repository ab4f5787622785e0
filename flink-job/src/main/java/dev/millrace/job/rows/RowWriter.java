package dev.millrace.job.rows;

import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Makes a record of each change of a row. Tables come before the first row of an attempt. */
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
    if (keys == null) {
      keys = new byte[tables.size()][];
      for (int i = 0; i < keys.length; i++) {
        RowTable table = tables.get(i);
        keys[i] = RowRecords.key(table.name());
        records.collect(OutputRecord.of(topic, keys[i], RowRecords.describe(table)));
      }
    }
    records.collect(
        OutputRecord.of(
            topic,
            RowRecords.key(keys[change.table()], change.id()),
            change.valuesOrNull() == null ? null : RowRecords.value(change.valuesOrNull())));
  }
}
