package dev.millrace.serve;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Requests that wait to be predicted, in the order that they came in: bounded by their rows, and
 * taken several at once.
 *
 * <p>Thread-safe.
 */
final class RequestQueue {

  private final int maxBatch;
  private final long maxWaitNanos;
  private final int maxRows;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private int rows;
  private boolean hurried;
  private boolean closed;

  /**
   * @param maxBatch rows that are taken at once, at most; a request with more is taken alone
   * @param maxWait how long the first of them waits for others
   * @param maxRows that wait; a request with more is let in where none waits
   */
  RequestQueue(int maxBatch, Duration maxWait, int maxRows) {
    this.maxBatch = maxBatch;
    this.maxWaitNanos = maxWait.toNanos();
    this.maxRows = maxRows;
  }

  /** Adds a request; false where there is no room for it, or the queue is closed. */
  boolean offer(Pending request) {
    lock.lock();
    try {
      if (closed || (rows > 0 && rows + request.rows() > maxRows)) {
        return false;
      }
      waiting.add(request);
      rows += request.rows();
      // One is enough: whoever leaves some behind wakes the next.
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for requests, and takes the first ones.
   *
   * @param hasOtherWork asked after each {@link #wake}
   * @return none where there is other work, or the queue is closed and empty
   */
  List<Pending> take(BooleanSupplier hasOtherWork) throws InterruptedException {
    lock.lock();
    try {
      while (!hasOtherWork.getAsBoolean()) {
        if (waiting.isEmpty()) {
          if (closed) {
            return List.of();
          }
          changed.await();
        } else {
          long left = maxWaitNanos - (System.nanoTime() - waiting.peek().since());
          if (rows >= maxBatch || hurried || left <= 0) {
            return first();
          }
          // Whoever takes them first takes all that have come by then.
          changed.awaitNanos(left);
        }
      }
      wakeForRest();
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  private List<Pending> first() {
    List<Pending> taken = new ArrayList<>();
    int room = maxBatch;
    while (!waiting.isEmpty() && (taken.isEmpty() || waiting.peek().rows() <= room)) {
      Pending next = waiting.remove();
      rows -= next.rows();
      room -= next.rows();
      taken.add(next);
    }
    wakeForRest();
    return taken;
  }

  /** Wakes another one for requests that whoever was woken for them doesn't take. */
  private void wakeForRest() {
    if (!waiting.isEmpty()) {
      changed.signal();
    }
  }

  /** Has those who wait ask for other work. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has no request wait for others from now on. */
  void hurry() {
    lock.lock();
    try {
      hurried = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more requests. Those that wait can still be taken, at once. */
  void close() {
    lock.lock();
    try {
      closed = true;
      hurried = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed && waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Rows that wait. */
  int rows() {
    lock.lock();
    try {
      return rows;
    } finally {
      lock.unlock();
    }
  }
}
