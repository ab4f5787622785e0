package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.MinibatchRows;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The minibatches of one share that were read ahead. One thread puts, another takes.
 *
 * <p>Thread-safe.
 */
public class ShareQueue implements AutoCloseable {

  /**
   * A minibatch with its place.
   *
   * @param rows its examples
   */
  record Placed(int epoch, long minibatch, MinibatchRows rows) {}

  private static final long PATIENCE_MILLIS = 10;

  private final Queue<Placed> waiting = new ArrayDeque<>();
  private final int most;

  private CompletableFuture<Void> available = new CompletableFuture<>();
  private boolean ended;
  private boolean closed;
  private Throwable failure;

  /**
   * @param most minibatches that wait
   */
  ShareQueue(int most) {
    this.most = most;
  }

  /** Waits until there is room. */
  void put(Placed minibatch) throws InterruptedException {
    put(minibatch, () -> Wait.FOR_ROOM);
  }

  /** What whoever puts does while there is no room. */
  enum Wait {
    /** Waits. */
    FOR_ROOM,
    /** Puts it all the same. */
    NO_LONGER,
    /** Gives it up. */
    IN_VAIN
  }

  /**
   * Waits until there is room, or as long as {@code patience} says.
   *
   * @return whether it was put
   */
  synchronized boolean put(Placed minibatch, Supplier<Wait> patience) throws InterruptedException {
    while (waiting.size() >= most && !closed) {
      Wait now = patience.get();
      if (now == Wait.IN_VAIN) {
        return false;
      }
      if (now == Wait.NO_LONGER) {
        break;
      }
      wait(PATIENCE_MILLIS);
    }
    waiting.add(minibatch);
    available.complete(null);
    return true;
  }

  /** Whether somebody who takes has to wait. */
  synchronized boolean isStarved() {
    return waiting.isEmpty() && !ended && !closed;
  }

  /** No more come. */
  synchronized void end() {
    ended = true;
    available.complete(null);
  }

  /** Whoever takes throws this. */
  synchronized void fail(Throwable cause) {
    failure = cause;
    available.complete(null);
  }

  /**
   * Takes the next one; null where none is there yet, or no more come.
   *
   * @throws IllegalStateException if they can't be read, with the cause
   */
  synchronized Placed poll() {
    if (failure != null) {
      throw new IllegalStateException("The minibatches can't be read: " + failure, failure);
    }
    Placed next = waiting.poll();
    notifyAll();
    if (waiting.isEmpty() && !ended) {
      available = new CompletableFuture<>();
    }
    return next;
  }

  /** Whether all are taken, and no more come. */
  synchronized boolean isEnded() {
    return ended && failure == null && waiting.isEmpty();
  }

  /** Completes when {@link #poll} has something to give, or to throw, or no more come. */
  synchronized CompletableFuture<Void> available() {
    return available;
  }

  /** Whether nobody takes any more. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Nobody takes any more. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
