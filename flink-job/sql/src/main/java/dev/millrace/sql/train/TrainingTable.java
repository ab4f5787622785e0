package dev.millrace.sql.train;

import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;

/** A table whose rows are learned. Queries that change rows are refused by the planner. */
record TrainingTable(String name, TableTraining training) implements DynamicTableSink {

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requested) {
    return ChangelogMode.insertOnly();
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    return training;
  }

  /** It never changes. */
  @Override
  public DynamicTableSink copy() {
    return this;
  }

  @Override
  public String asSummaryString() {
    return "training by " + name;
  }
}
