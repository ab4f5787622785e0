package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.MinibatchRows;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deals the minibatches of one iterator out to shares, ahead of their readers, on a thread of its
 * own. Where a share is opened at a place that has gone by, as after a failure, it resets the
 * iterator and passes over what each share has had.
 *
 * <p>Thread-safe.
 */
public final class IteratorDealer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IteratorDealer.class);

  private final RowsIterator<?> iterator;
  private final int epochs;
  private final int queueSize;
  private final ShareQueue[] queues;
  private final Place[] wanted;
  private final SeenOrder order = new SeenOrder();
  private final Thread thread;

  private Place cursor = new Place(0, 0);
  private MinibatchRows firstOrNull;
  private volatile boolean mustReset;
  private boolean closed;
  private Throwable failure;
  private volatile boolean stopped;

  private record Place(int epoch, long minibatch) {

    boolean isBefore(Place other) {
      return epoch < other.epoch || (epoch == other.epoch && minibatch < other.minibatch);
    }
  }

  /**
   * Begins where the iterator is, or at its beginning if it is at its end.
   *
   * @param prefetched minibatches that are read ahead, of all shares
   */
  public IteratorDealer(RowsIterator<?> iterator, int shares, int epochs, int prefetched) {
    this.iterator = Objects.requireNonNull(iterator, "iterator");
    this.epochs = epochs;
    this.queueSize = Math.max(1, prefetched / shares);
    this.queues = new ShareQueue[shares];
    this.wanted = new Place[shares];
    this.thread = new Thread(this::run, "millrace-minibatches");
    thread.setDaemon(true);
    firstOrNull = iterator.nextOrNull();
    if (firstOrNull == null && iterator.canReset()) {
      iterator.reset();
      firstOrNull = iterator.nextOrNull();
    }
  }

  /**
   * Returns the first minibatch, which is dealt all the same; null where there is none. Called
   * before a share is opened.
   */
  public MinibatchRows firstOrNull() {
    return firstOrNull;
  }

  /** Returns what the iterator has thrown last; null where it has thrown nothing. */
  public synchronized Throwable failureOrNull() {
    return failure;
  }

  /**
   * Opens a share where it was left.
   *
   * @throws IllegalStateException if that has gone by, and the iterator can't begin again
   */
  synchronized ShareQueue open(Share share) {
    int number = share.number();
    Place place = new Place(share.epoch(), share.minibatch());
    if (queues[number] != null) {
      queues[number].close();
    }
    if (failure != null || place.isBefore(cursor)) {
      if (!iterator.canReset()) {
        throw new IllegalStateException(
            "The minibatches were read once, and the iterator can't begin again (resetSupported is false): train with an"
                + " iterator that can be reset, or from a topic");
      }
      mustReset = true;
    }
    queues[number] = new ShareQueue(queueSize);
    wanted[number] = place;
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    notifyAll();
    return queues[number];
  }

  private void run() {
    try {
      while (prepare()) {
        step();
      }
    } catch (InterruptedException e) {
      LOG.debug("Nobody reads minibatches any more", e);
    }
  }

  /** Waits until there is something to read for somebody; false at the end of all. */
  private synchronized boolean prepare() throws InterruptedException {
    while (!closed && (isSomebodyMissing() || isIdle())) {
      wait();
    }
    if (mustReset && !closed) {
      mustReset = false;
      failure = null;
      int epoch = epochs;
      for (Place place : wanted) {
        epoch = Math.min(epoch, place.epoch());
      }
      cursor = new Place(epoch, 0);
      firstOrNull = null;
      LOG.info("Begins again with epoch {}, after a failure", epoch);
      beginAgain();
    }
    return !closed;
  }

  /** Whether a share was never opened: its minibatches can't go by yet. */
  private boolean isSomebodyMissing() {
    for (Place place : wanted) {
      if (place == null) {
        return true;
      }
    }
    return false;
  }

  private boolean isIdle() {
    return !mustReset && (failure != null || cursor.epoch() == epochs);
  }

  private void beginAgain() {
    try {
      iterator.reset();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void step() throws InterruptedException {
    if (stopped) {
      endAll();
      return;
    }
    MinibatchRows rows;
    try {
      rows = firstOrNull == null ? iterator.nextOrNull() : firstOrNull;
      firstOrNull = null;
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    if (rows == null) {
      endEpoch();
    } else {
      deal(rows);
    }
  }

  private void deal(MinibatchRows rows) throws InterruptedException {
    ShareQueue queue;
    Place place;
    int share;
    synchronized (this) {
      if (mustReset) {
        return;
      }
      place = cursor;
      if (!order.agrees(place.epoch(), place.minibatch(), rows.fingerprint())) {
        fail(
            new IllegalStateException(
                "After a failure the iterator gave another minibatch %s of epoch %s than before: what was learned can't be told"
                        .formatted(place.minibatch(), place.epoch())
                    + " apart; have reset() repeat the order, with a seed"));
        return;
      }
      share = (int) ((place.minibatch() + place.epoch()) % queues.length);
      boolean isWanted = place.equals(wanted[share]);
      queue = isWanted ? queues[share] : null;
      if (isWanted) {
        wanted[share] = new Place(place.epoch(), place.minibatch() + queues.length);
      }
      cursor = new Place(place.epoch(), place.minibatch() + 1);
    }
    if (queue == null) {
      return;
    }
    ShareQueue.Placed placed = new ShareQueue.Placed(place.epoch(), place.minibatch(), rows);
    if (!queue.put(placed, this::patience)) {
      giveBack(queue, share, place);
    }
  }

  /**
   * Replicas wait for each other in each round. So one that has nothing to learn is waited for by
   * those whose queues are full.
   */
  private ShareQueue.Wait patience() {
    if (mustReset) {
      return ShareQueue.Wait.IN_VAIN;
    }
    for (ShareQueue queue : queues) {
      if (queue.isStarved()) {
        return ShareQueue.Wait.NO_LONGER;
      }
    }
    return ShareQueue.Wait.FOR_ROOM;
  }

  /** A minibatch comes again, unless its share was opened anew meanwhile. */
  private synchronized void giveBack(ShareQueue queue, int share, Place place) {
    if (queues[share] == queue) {
      wanted[share] = place;
    }
  }

  private synchronized void endEpoch() {
    if (mustReset) {
      return;
    }
    int epoch = cursor.epoch();
    cursor = new Place(epoch + 1, 0);
    for (int share = 0; share < wanted.length; share++) {
      if (wanted[share].epoch() == epoch) {
        wanted[share] = new Place(epoch + 1, Share.firstOf(epoch + 1, share, queues.length));
      }
    }
    if (epoch + 1 == epochs) {
      endAll();
    } else {
      if (iterator.canReset()) {
        beginAgain();
      } else {
        fail(
            new IllegalStateException(
                "The iterator can't begin again (resetSupported is false), and %s epochs were asked for"
                    .formatted(epochs)));
      }
    }
  }

  private synchronized void endAll() {
    cursor = new Place(epochs, 0);
    for (ShareQueue queue : queues) {
      queue.end();
    }
  }

  /** Reads no further: what is read already is the last. */
  public void stop() {
    stopped = true;
  }

  private synchronized void fail(Throwable cause) {
    failure = cause;
    for (ShareQueue queue : queues) {
      queue.fail(cause);
    }
  }

  /** Ends the thread. */
  @Override
  public synchronized void close() {
    closed = true;
    thread.interrupt();
    notifyAll();
  }
}
