package dev.millrace.exchange.feedback;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The way back to a replica, from feedback sinks and exchange subtasks of its process. It
 * conflates: what waits is the newest update of each block and the newest head, so it holds one
 * model at most and never makes anybody wait.
 *
 * <p>Thread-safe for any number of threads that offer, and the one replica's.
 */
public final class FeedbackChannel {

  private record ToldHead(RoundHead head, Standing standing) {}

  private final Map<Integer, BlockUpdate> newest = new ConcurrentHashMap<>();
  private final Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
  private final AtomicReference<ToldHead> head = new AtomicReference<>();
  private final Arrivals arrivals = new Arrivals();

  FeedbackChannel() {}

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
    newest.clear();
    arrived.clear();
    head.set(null);
  }

  public void offer(BlockUpdate update) {
    if (arrivals.hasEnded()) {
      return;
    }
    newest.compute(
        update.block(),
        (block, waiting) -> {
          if (waiting == null) {
            arrived.add(block);
            return update;
          }
          // It may have been overtaken: it came through the network, the other one didn't.
          return update.round() > waiting.round() ? update : waiting;
        });
    arrivals.signal();
  }

  public void offer(RoundHead newHead, Standing standing) {
    if (arrivals.hasEnded()) {
      return;
    }
    head.set(new ToldHead(newHead, standing));
    arrivals.signal();
  }

  /** Gives out all that waits. */
  public void drain(BiConsumer<RoundHead, Standing> heads, Consumer<BlockUpdate> blocks) {
    arrivals.begin();
    ToldHead waiting = head.getAndSet(null);
    if (waiting != null) {
      heads.accept(waiting.head(), waiting.standing());
    }
    for (Integer block = arrived.poll(); block != null; block = arrived.poll()) {
      BlockUpdate update = newest.remove(block);
      if (update != null) {
        blocks.accept(update);
      }
    }
  }
}
