package dev.millrace.sql.predict;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Hands rows from the task's thread to the one that predicts. A batch is taken when it is full, or
 * when its first row has waited long enough. Flink limits how many rows wait.
 */
final class RowBatches {

  private final int batchSize;
  private final long maxWaitNanos;
  private final Queue<PendingRow> rows = new ArrayDeque<>();
  private Throwable failure;
  private boolean isClosed;

  /**
   * @param batchSize rows of a batch, at most
   * @param maxWait how long the first of them may wait for others
   */
  RowBatches(int batchSize, Duration maxWait) {
    this.batchSize = batchSize;
    this.maxWaitNanos = maxWait.toNanos();
  }

  synchronized void add(PendingRow row) {
    if (failure != null) {
      row.fail(failure);
      return;
    }
    rows.add(row);
    // The other thread sleeps until there is a first row, and then until the batch is full.
    if (rows.size() == 1 || rows.size() == batchSize) {
      notifyAll();
    }
  }

  /** Waits for a batch, whose rows are in their order; it is empty when these are closed. */
  synchronized List<PendingRow> take() throws InterruptedException {
    while (rows.size() < batchSize && !isClosed) {
      if (rows.isEmpty()) {
        wait();
        continue;
      }
      long patience = maxWaitNanos - (System.nanoTime() - rows.element().since());
      if (patience <= 0) {
        break;
      }
      TimeUnit.NANOSECONDS.timedWait(this, patience);
    }
    List<PendingRow> batch = new ArrayList<>(batchSize);
    while (batch.size() < batchSize && !rows.isEmpty()) {
      batch.add(rows.remove());
    }
    return batch;
  }

  /** Has the other thread end: an interrupt may be lost in what it calls. */
  synchronized void close() {
    isClosed = true;
    rows.clear();
    notifyAll();
  }

  /** Fails the rows that wait, and those that come. */
  synchronized void fail(Throwable cause) {
    failure = cause;
    rows.forEach(row -> row.fail(cause));
    rows.clear();
  }
}
