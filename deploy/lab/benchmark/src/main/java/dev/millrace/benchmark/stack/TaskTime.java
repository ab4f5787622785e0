package dev.millrace.benchmark.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Processor time of one task's thread while its job runs, as {@code jcmd} tells. Flink's own busy
 * time is by the clock: where processors are short, it is mostly that of others.
 *
 * <p>Looks once a second, from its creation until it is closed.
 */
public final class TaskTime implements AutoCloseable {

  /** Processor time of a thread at a moment of the clock, in seconds. */
  private record Look(double at, double processor) {}

  private final Path processIds;
  private final Pattern thread;
  private final List<Look> looks = new ArrayList<>();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> looking;

  /**
   * @param task the beginning of its name, of which one subtask runs
   */
  public TaskTime(Cluster cluster, String task) {
    this.processIds = cluster.directory().resolve("cluster/run");
    this.thread = Pattern.compile("\"" + Pattern.quote(task) + ".* cpu=([0-9.]+)ms");
    this.looking = executor.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private void look() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(processIds, "taskmanager*")) {
      for (Path file : files) {
        String id = Files.readString(file).strip().split(" ", 2)[0];
        double at = System.nanoTime() / 1e9;
        Matcher found = thread.matcher(threads(id));
        if (found.find()) {
          looks.add(new Look(at, Double.parseDouble(found.group(1)) / 1e3));
        }
      }
    } catch (IOException e) {
      throw new BenchmarkFailure("No processor times: " + e);
    }
  }

  private static String threads(String id) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process told =
        new ProcessBuilder(jcmd.toString(), id, "Thread.print").redirectErrorStream(true).start();
    return new String(told.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** The share of a processor between the first look and the last; empty where there is one. */
  public OptionalDouble share() {
    if (looks.size() < 2) {
      return OptionalDouble.empty();
    }
    Look first = looks.get(0);
    Look last = looks.get(looks.size() - 1);
    return OptionalDouble.of((last.processor() - first.processor()) / (last.at() - first.at()));
  }

  @Override
  public void close() {
    looking.cancel(false);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new BenchmarkFailure("jcmd doesn't end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkFailure("Interrupted");
    }
  }
}
