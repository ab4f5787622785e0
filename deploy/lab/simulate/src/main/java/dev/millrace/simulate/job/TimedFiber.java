package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Fiber;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Work beside tasks that may {@linkplain #take} virtual time; the run goes on meanwhile. */
final class TimedFiber {

  /** The one that works now; a run has one thread. */
  private static final ThreadLocal<TimedFiber> CURRENT = new ThreadLocal<>();

  private final Timeline timeline;
  private final Fiber fiber;
  private final List<Consumer<Boolean>> waiting = new ArrayList<>();
  private boolean dead;

  TimedFiber(Timeline timeline, Fiber.Work work) {
    this.timeline = timeline;
    this.fiber =
        new Fiber(
            () -> {
              CURRENT.set(this);
              try {
                work.run();
              } finally {
                CURRENT.remove();
              }
            });
  }

  /** Returns the one that the calling thread is of; null if it is of none. */
  static TimedFiber currentOrNull() {
    return CURRENT.get();
  }

  /** Has what the calling thread is at take so long, if it is of one. */
  static void take(long micros) {
    TimedFiber current = CURRENT.get();
    if (current != null) {
      var unused = current.timeline.in(micros, current::resume);
      current.fiber.pause();
    }
  }

  /** Is told when it is over, and whether it ended in the middle. */
  void whenOver(Consumer<Boolean> listener) {
    waiting.add(listener);
  }

  /** Begins it, or goes on. */
  void resume() {
    if (dead) {
      return;
    }
    boolean done;
    try {
      done = fiber.resume();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    if (done) {
      tell(false);
    }
  }

  /** Ends it where it is. */
  void die() {
    dead = true;
    fiber.abandon();
    tell(true);
  }

  private void tell(boolean amid) {
    List<Consumer<Boolean>> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(listener -> listener.accept(amid));
  }
}
