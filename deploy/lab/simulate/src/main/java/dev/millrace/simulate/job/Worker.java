package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.ReplicaLinks;
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

/**
 * A thread beside a task, in virtual time: whoever works on it may {@linkplain TimedFiber#take
 * take} time.
 */
final class Worker extends AbstractExecutorService {

  private final Timeline timeline;
  private final Task task;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private TimedFiber fiber;
  private boolean shut;
  private boolean dead;
  private boolean planned;

  Worker(Timeline timeline, Task task) {
    this.timeline = timeline;
    this.task = task;
  }

  /** Ends it where it is. */
  void die() {
    dead = true;
    queue.clear();
    if (fiber != null) {
      TimedFiber left = fiber;
      fiber = null;
      left.die();
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
    TimedFiber begun =
        new TimedFiber(
            timeline,
            () -> {
              ReplicaLinks.simulate(task.process());
              next.run();
            });
    fiber = begun;
    begun.whenOver(amid -> done(amid));
    begun.resume();
  }

  private void done(boolean amid) {
    if (amid) {
      return;
    }
    fiber = null;
    task.poke();
    if (!queue.isEmpty()) {
      plan();
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
