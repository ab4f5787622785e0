package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.model.Minibatch;
import java.util.Iterator;

/**
 * Says when the oldest minibatch of a window may be learned: it is closed, and hooks have all that
 * they need for it. Belongs to the replica's thread.
 */
final class NextMinibatch {

  private final MinibatchWindow window;
  private final Replica replica;
  private final int ahead;

  /**
   * @param ahead minibatches that hooks are asked about before their turn
   */
  NextMinibatch(MinibatchWindow window, Replica replica, int ahead) {
    this.window = window;
    this.replica = replica;
    this.ahead = ahead;
  }

  /** Whether it may be learned. Has hooks ask for what it and those behind it need. */
  boolean isReady() {
    if (!window.hasFull()) {
      return false;
    }
    // What is asked for is of these examples.
    window.keepFull();
    Iterator<Minibatch> waiting = window.waiting().iterator();
    boolean ready = replica.isReady(waiting.next());
    for (int left = Math.min(window.full() - 1, ahead); left > 0; left--) {
      replica.isReady(waiting.next());
    }
    return ready;
  }

  /** Whether more examples may come: no more minibatches wait than hooks are asked about. */
  boolean hasRoom() {
    return window.full() <= ahead;
  }
}
