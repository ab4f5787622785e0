package dev.millrace.sql.predict;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;

/**
 * A row that waits for its prediction.
 *
 * @param row Flink keeps it as it is until it is answered
 * @param since when it came, as {@link System#nanoTime}
 * @param answer the outputs, as Flink wants them
 */
record PendingRow(RowData row, long since, CompletableFuture<Collection<RowData>> answer) {

  /** Makes one that comes now. */
  static PendingRow of(RowData row) {
    return new PendingRow(row, System.nanoTime(), new CompletableFuture<>());
  }

  void answer(RowData outputs) {
    answer.complete(List.of(outputs));
  }

  void fail(Throwable cause) {
    answer.completeExceptionally(cause);
  }
}
