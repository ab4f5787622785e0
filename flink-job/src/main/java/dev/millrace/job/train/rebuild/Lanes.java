package dev.millrace.job.train.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Threads for replicas, each of which has one of its own, since a model belongs to a thread.
 *
 * <p>Used by one thread.
 */
final class Lanes implements AutoCloseable {

  private final List<ExecutorService> threads = new ArrayList<>();

  /** {@code lanes} is how many there are: as many as replicas at most. */
  Lanes(int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      String name = "rebuild-" + lane;
      threads.add(
          Executors.newSingleThreadExecutor(
              task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
              }));
    }
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
      begun.add(threads.get(lane.applyAsInt(task)).submit(() -> what.apply(task)));
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

  @Override
  public void close() {
    threads.forEach(ExecutorService::shutdownNow);
  }
}
