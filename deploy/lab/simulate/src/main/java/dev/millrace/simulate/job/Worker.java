package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.simulate.task.Fiber;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;

/** A thread beside a task, in virtual time: whoever works on it may {@linkplain #take} time. */
final class Worker extends AbstractExecutorService {

  /** The one that works now; a run has one thread. */
  private static final ThreadLocal<Worker> CURRENT = new ThreadLocal<>();

  private final Timeline timeline;
  private final Task task;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private Fiber fiber;
  private boolean shut;
  private boolean dead;
  private boolean planned;

  Worker(Timeline timeline, Task task) {
    this.timeline = timeline;
    this.task = task;
  }

  /** Has what the calling thread is at take so long, if it is a worker's. */
  static void take(long micros) {
    Worker worker = CURRENT.get();
    if (worker != null && worker.fiber != null) {
      var unused = worker.timeline.in(micros, worker::resume);
      worker.fiber.pause();
    }
  }

  /** Ends it where it is. */
  void die() {
    dead = true;
    queue.clear();
    if (fiber != null) {
      Fiber left = fiber;
      fiber = null;
      left.abandon();
    }
  }

  @Override
  public void execute(Runnable what) {
    if (!dead) {
      queue.add(what);
      plan();
    }
  }

  private void plan() {
    if (!planned && fiber == null) {
      planned = true;
      var unused = timeline.in(0, this::work);
    }
  }

  private void work() {
    planned = false;
    if (dead || fiber != null || queue.isEmpty()) {
      return;
    }
    Runnable next = queue.removeFirst();
    fiber =
        new Fiber(
            () -> {
              ReplicaLinks.simulate(task.process());
              CURRENT.set(this);
              try {
                next.run();
              } finally {
                CURRENT.remove();
              }
            });
    resume();
  }

  private void resume() {
    if (dead || fiber == null) {
      return;
    }
    boolean done;
    try {
      done = fiber.resume();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    if (done) {
      fiber = null;
      task.poke();
      if (!queue.isEmpty()) {
        plan();
      }
    }
  }

  @Override
  public void shutdown() {
    shut = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shut = true;
    List<Runnable> left = List.copyOf(queue);
    queue.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shut;
  }

  @Override
  public boolean isTerminated() {
    return shut && queue.isEmpty() && fiber == null;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    task.awaitUntil(this::isTerminated);
    return true;
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Callable<T> what) {
    return new FutureTask<>(what) {
      @Override
      public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException {
        task.awaitUntil(this::isDone);
        return get();
      }
    };
  }
}
