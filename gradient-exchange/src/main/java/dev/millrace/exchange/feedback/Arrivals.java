package dev.millrace.exchange.feedback;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells one listener that something has arrived: once, until it begins to take what there is.
 *
 * <p>Thread-safe for any number of threads that signal, and the listener's.
 */
final class Arrivals {

  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile Runnable listener = () -> {};
  private volatile boolean ended;

  /**
   * Has {@code onArrival} called, on the thread that signals, when something has arrived since the
   * last {@link #begin}; at once if something waits already.
   */
  void listen(Runnable onArrival) {
    listener = onArrival;
    if (signalled.get()) {
      onArrival.run();
    }
  }

  /** Something has arrived, and can be taken. */
  void signal() {
    if (!signalled.getAndSet(true)) {
      listener.run();
    }
  }

  /** The listener begins to take: what arrives from now on is told of again. */
  void begin() {
    signalled.set(false);
  }

  /** The listener takes nothing more, and is told of nothing. */
  void end() {
    ended = true;
    listener = () -> {};
  }

  boolean hasEnded() {
    return ended;
  }
}
