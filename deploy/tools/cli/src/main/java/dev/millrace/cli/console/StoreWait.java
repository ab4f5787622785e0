package dev.millrace.cli.console;

import dev.millrace.job.models.SnapshotPlace;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Says what a command waits for, where a store that isn't on this machine takes its time. */
public final class StoreWait {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Reads from a store, or writes to it. */
  public interface Task<T, E extends Exception> {
    T run() throws E;
  }

  private StoreWait() {}

  /**
   * Runs what may have to wait.
   *
   * @param place a path or URI
   */
  public static <T, E extends Exception> T during(String place, PrintWriter err, Task<T, E> task)
      throws E {
    return during(place, err, PATIENCE, task);
  }

  public static <T, E extends Exception> T during(
      String place, PrintWriter err, Duration patience, Task<T, E> task) throws E {
    if (!place.contains("://") || SnapshotPlace.of(place).local().isPresent()) {
      return task.run();
    }
    CompletableFuture<Void> notice =
        CompletableFuture.runAsync(
            () -> tell(place, err, patience),
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
    try {
      return task.run();
    } finally {
      notice.cancel(false);
    }
  }

  private static void tell(String place, PrintWriter err, Duration patience) {
    err.println(
        ("%s hasn't been read to its end after %s s. Where its server doesn't answer, its client"
                + " tries again until it gives up: that of S3 takes up to nine minutes a file."
                + " Ctrl-C ends this command")
            .formatted(place, patience.toSeconds()));
    err.flush();
  }
}
