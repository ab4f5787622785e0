package dev.millrace.serve;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the bodies of requests take together. Each body has a little of its own, so that
 * small requests are taken whatever large ones there are; what is more comes out of one amount for
 * all.
 *
 * <p>Thread-safe.
 */
final class BodyBudget {

  /**
   * A part of the heap: arrays are copied as they grow, and what is read of bodies is there, too.
   */
  private static final int PART_OF_HEAP = 4;

  private final long each;
  private final long most;
  private final AtomicLong left;

  /**
   * @param each bytes of each body that aren't counted
   * @param most bytes of all others
   */
  BodyBudget(long each, long most) {
    this.each = each;
    this.most = most;
    this.left = new AtomicLong(most);
  }

  /**
   * A budget for this process: a quarter of its heap, and an eighth of it for small bodies.
   *
   * @param maxBody bytes of the longest body, which is taken where there is no other
   */
  static BodyBudget ofHeap(long maxBody, int connections) {
    long part = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    return new BodyBudget(part / 2 / connections, Math.max(part, maxBody));
  }

  /** Whether a body of this length would be taken now. */
  boolean hasRoomFor(long bytes) {
    return bytes - each <= left.get();
  }

  long most() {
    return most;
  }

  /** Bytes that are taken of what is for all. */
  long taken() {
    return most - left.get();
  }

  /** Begins with the share of a body, which has nothing yet. */
  Share share() {
    return new Share();
  }

  /** What one body takes. */
  final class Share {

    private long taken;
    private boolean closed;

    /** Has it be this many bytes; false where there is no room, or it is closed. */
    synchronized boolean growTo(long bytes) {
      long more = Math.max(0, bytes - each) - taken;
      if (closed) {
        return false;
      }
      if (more > 0) {
        if (left.addAndGet(-more) < 0) {
          left.addAndGet(more);
          return false;
        }
        taken += more;
      }
      return true;
    }

    /** Gives back all of it. The second call does nothing. */
    synchronized void close() {
      closed = true;
      left.addAndGet(taken);
      taken = 0;
    }
  }
}
