package dev.millrace.job.train.rebuild;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Threads for replicas, each of which has one of its own, since a model belongs to a thread.
 *
 * <p>Used by one thread.
 */
final class Lanes implements AutoCloseable {

  private static final Duration STEP = Duration.ofMinutes(1);

  private final List<ExecutorService> executors = new ArrayList<>();

  /** {@code lanes} is how many there are. */
  Lanes(int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      String name = "rebuild-" + lane;
      executors.add(
          Executors.newSingleThreadExecutor(
              task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
              }));
    }
  }

  /** Does something on a lane, and waits for it; at once where this is that lane. */
  <R> R on(int lane, Supplier<R> what) {
    return Thread.currentThread().getName().equals("rebuild-" + lane)
        ? what.get()
        : get(executors.get(lane).submit(what::get));
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
    List<Future<R>> begun = new ArrayList<>();
    for (T task : tasks) {
      begun.add(executors.get(lane.applyAsInt(task)).submit(() -> what.apply(task)));
    }
    List<R> results = new ArrayList<>();
    for (Future<R> one : begun) {
      results.add(get(one));
    }
    return results;
  }

  private static <R> R get(Future<R> one) {
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
    executors.forEach(ExecutorService::shutdown);
    boolean interrupted = Thread.interrupted();
    for (ExecutorService one : executors) {
      try {
        boolean unused = one.awaitTermination(STEP.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
