package dev.millrace.serve;

import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The memory that the bodies of requests take together. Each body has a little of its own, so that
 * small requests are taken whatever large ones there are; what is more comes out of one amount for
 * all.
 *
 * <p>Thread-safe.
 */
public final class BodyBudget {

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

  /** Bytes that are taken of what is for all. */
  long taken() {
    return most - left.get();
  }

  /**
   * Begins with the share of a body, which has nothing yet.
   *
   * @param atOnce most bodies that its connection has at a time; what each has of its own is theirs
   *     together
   */
  public Share share(int atOnce) {
    return new Share(each / atOnce);
  }

  /** Returns what a client is told whose body finds no room. */
  public RefusedRequestException noRoom() {
    return new RefusedRequestException(
        HttpStatus.SERVICE_UNAVAILABLE_503,
        "Bodies of requests take all the memory that is for them (%s bytes) already; ask again later"
            .formatted(most));
  }

  /** What one body takes. */
  public final class Share {

    private final long own;
    private long taken;
    private boolean closed;

    private Share(long own) {
      this.own = own;
    }

    /** Has it be this many bytes; false where there is no room, or it is closed. */
    public synchronized boolean growTo(long bytes) {
      long more = Math.max(0, bytes - own) - taken;
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
    public synchronized void close() {
      closed = true;
      left.addAndGet(taken);
      taken = 0;
    }
  }
}
