package dev.millrace.dl4j.data;

import dev.millrace.api.ExampleMapper;
import dev.millrace.api.ExampleWriter;

/**
 * Says what a row's example is. The ledger has epochs, from 1, as topics, and shares as partitions.
 *
 * <p>It is a class of its own: it travels with the job, to processes that have no DL4J.
 */
public final class RowMapper implements ExampleMapper<DataRow> {

  private static final long serialVersionUID = 1;

  @Override
  public void map(DataRow row, ExampleWriter to) {
    if (row.share != DataRow.NO_SHARE) {
      to.position("epoch-" + (row.epoch + 1), row.share, row.number);
    }
    if (row.problem != null) {
      to.reject(row.problem);
      return;
    }
    to.features(row.features).labels(row.labels).weight(row.weight);
  }
}
