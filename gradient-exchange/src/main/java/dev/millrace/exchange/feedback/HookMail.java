package dev.millrace.exchange.feedback;

import dev.millrace.exchange.hook.HookMessage;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The way back to the hooks of a replica, from their own parts of the job. All that is offered
 * comes, in the order in which each thread offers it. Hooks ask for what comes, so they bound it.
 *
 * <p>Thread-safe for any number of threads that offer, and the one replica's.
 */
public final class HookMail {

  private final Queue<HookMessage> waiting = new ConcurrentLinkedQueue<>();
  private final Arrivals arrivals = new Arrivals();

  HookMail() {}

  /**
   * Has {@code onArrival} called, on the thread that offers, when something has arrived since the
   * last {@link #drain}; at once if something waits already.
   */
  public void listen(Runnable onArrival) {
    arrivals.listen(onArrival);
  }

  /** The replica takes nothing more: what comes is dropped. */
  public void end() {
    arrivals.end();
    waiting.clear();
  }

  /** Leaves a message for the replica. */
  public void offer(HookMessage message) {
    if (!arrivals.hasEnded()) {
      waiting.add(message);
      arrivals.signal();
    }
  }

  /** Gives out all that waits. */
  public void drain(Consumer<HookMessage> messages) {
    arrivals.begin();
    for (HookMessage message = waiting.poll(); message != null; message = waiting.poll()) {
      messages.accept(message);
    }
  }
}
