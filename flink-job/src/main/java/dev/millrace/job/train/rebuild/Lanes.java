package dev.millrace.job.train.rebuild;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Threads for replicas, each of which has one of its own, since a model belongs to a thread. While
 * a lane waits for another one it does what is asked of it, so they never wait for each other.
 *
 * <p>Used by one thread, and by what it has lanes do.
 */
final class Lanes implements AutoCloseable {

  private static final Duration STEP = Duration.ofMinutes(1);

  private final List<Lane> lanes = new ArrayList<>();

  /** {@code count} is how many there are. */
  Lanes(int count) {
    for (int number = 0; number < count; number++) {
      Lane lane = new Lane("rebuild-" + number);
      lanes.add(lane);
      lane.start();
    }
  }

  /** Does something on a lane, and waits for it; at once where this is that lane. */
  <R> R on(int lane, Supplier<R> what) {
    Lane other = lanes.get(lane);
    if (Thread.currentThread() == other) {
      return what.get();
    }
    CompletableFuture<R> result = other.begin(what);
    if (Thread.currentThread() instanceof Lane waiting) {
      waiting.workUntil(result);
    }
    return get(result);
  }

  /** Does something on a lane, as {@link #on} does. */
  void run(int lane, Runnable what) {
    Void unused =
        on(
            lane,
            () -> {
              what.run();
              return null;
            });
  }

  /**
   * Does something for each of some tasks, on its own lane, and waits for all of them.
   *
   * @param lane of a task, such as a replica's number
   * @return the results, in the order of the tasks
   */
  <T, R> List<R> all(List<T> tasks, ToIntFunction<T> lane, Function<T, R> what) {
    List<CompletableFuture<R>> begun = new ArrayList<>();
    for (T task : tasks) {
      begun.add(lanes.get(lane.applyAsInt(task)).begin(() -> what.apply(task)));
    }
    return begun.stream().map(Lanes::get).toList();
  }

  private static <R> R get(CompletableFuture<R> one) {
    try {
      return one.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Ends what is under way first: a model may not be closed while it learns. */
  @Override
  public void close() {
    lanes.forEach(Lane::end);
    boolean interrupted = Thread.interrupted();
    for (Lane lane : lanes) {
      try {
        lane.join(STEP.toMillis());
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Lane extends Thread {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Lane(String name) {
      super(name);
      setDaemon(true);
    }

    @Override
    public void run() {
      workUntil(ended);
    }

    <R> CompletableFuture<R> begin(Supplier<R> what) {
      return CompletableFuture.supplyAsync(what, tasks::add);
    }

    /** Ends it behind all that was begun. */
    void end() {
      tasks.add(() -> ended.complete(null));
    }

    void workUntil(CompletableFuture<?> done) {
      // Wakes this lane, should nothing else be asked of it.
      CompletableFuture<?> unused = done.whenComplete((result, failure) -> tasks.add(() -> {}));
      try {
        while (!done.isDone()) {
          tasks.take().run();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("Interrupted", e);
      }
    }
  }
}
