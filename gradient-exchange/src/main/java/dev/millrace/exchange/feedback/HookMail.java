package dev.millrace.exchange.feedback;

import dev.millrace.exchange.hook.HookMessage;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The way back to the hooks of a replica, from their own parts of the job. All that is offered
 * comes, in the order in which each thread offers it. Hooks ask for what comes, so they bound it.
 *
 * <p>Thread-safe for any number of threads that offer, and the one replica's.
 */
public final class HookMail {

  private final Queue<HookMessage> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private volatile Runnable listener = () -> {};
  private volatile boolean ended;

  HookMail() {}

  /**
   * Has {@code onArrival} called, on the thread that offers, when something has arrived since the
   * last {@link #drain}; at once if something waits already.
   */
  public void listen(Runnable onArrival) {
    listener = onArrival;
    if (signalled.get()) {
      onArrival.run();
    }
  }

  /** The replica takes nothing more: what comes is dropped. */
  public void end() {
    ended = true;
    listener = () -> {};
    waiting.clear();
  }

  /** Leaves a message for the replica. */
  public void offer(HookMessage message) {
    if (ended) {
      return;
    }
    waiting.add(message);
    if (!signalled.getAndSet(true)) {
      listener.run();
    }
  }

  /** Gives out all that waits. */
  public void drain(Consumer<HookMessage> messages) {
    signalled.set(false);
    for (HookMessage message = waiting.poll(); message != null; message = waiting.poll()) {
      messages.accept(message);
    }
  }
}
