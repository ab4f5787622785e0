package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataRow;
import dev.millrace.dl4j.data.MinibatchRows;
import java.util.concurrent.CompletableFuture;

/** A share that examples are taken of, one by one. Not thread-safe. */
final class OpenShare implements AutoCloseable {

  private final Share begun;
  private final ShareQueue queue;
  private final DataRow row = new DataRow();

  private int epoch;
  private long minibatch;
  private int next;
  private long examples;

  /** The minibatch that is given at the moment, or null. */
  private MinibatchRows rows;

  OpenShare(Share begun, ShareQueue queue) {
    this.begun = begun;
    this.queue = queue;
    this.epoch = begun.epoch();
    this.minibatch = begun.minibatch();
    this.next = begun.row();
    this.examples = begun.examples();
  }

  /** Returns the next example, valid until the next call; null where none is there yet. */
  DataRow poll() {
    if (rows == null && !take()) {
      return null;
    }
    row.epoch = epoch;
    row.share = begun.number();
    row.number = examples++;
    rows.copy(next++, row);
    if (next == rows.rows()) {
      rows = null;
      next = 0;
      minibatch += begun.shares();
    }
    return row;
  }

  private boolean take() {
    ShareQueue.Placed placed = queue.poll();
    if (placed == null) {
      return false;
    }
    if (placed.epoch() != epoch) {
      epoch = placed.epoch();
      examples = 0;
    }
    minibatch = placed.minibatch();
    rows = placed.rows();
    return true;
  }

  /** Whether all examples are given. */
  boolean isEnded() {
    return rows == null && queue.isEnded();
  }

  /** Completes when {@link #poll} has something to give, or the share is at its end. */
  CompletableFuture<Void> available() {
    return rows == null ? queue.available() : CompletableFuture.completedFuture(null);
  }

  /** Returns how far it is. */
  Share state() {
    return new Share(begun.number(), begun.shares(), epoch, minibatch, next, examples);
  }

  @Override
  public void close() {
    queue.close();
  }
}
