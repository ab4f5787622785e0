package dev.millrace.benchmark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a command to its end, with what it prints in files of its own. */
public final class ChildProcess {

  private final Path directory;
  private final Map<String, String> environment;

  /**
   * Commands that share a directory and an environment.
   *
   * @param directory receives the files
   * @param environment added to this process's own
   */
  public ChildProcess(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  /**
   * The last line that the command prints.
   *
   * @param name of the files
   * @param limit after which the command, and all that it has started, is killed
   * @throws BenchmarkFailure if it fails, or takes too long
   */
  public String run(String name, Duration limit, List<String> command) {
    Path out = directory.resolve(name + ".out");
    Path err = directory.resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(command))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      Thread atExit = new Thread(() -> end(process));
      remember(atExit);
      try {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new BenchmarkFailure("%s took longer than %s".formatted(name, limit));
        }
      } finally {
        end(process);
        forget(atExit);
      }
      if (process.exitValue() != 0) {
        throw new BenchmarkFailure(
            "%s ended with %s:%n%s%n%s"
                .formatted(name, process.exitValue(), Text.tail(out), Text.tail(err)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkFailure("Interrupted");
    }
    return Text.read(out).lines().reduce("", (before, line) -> line);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static void remember(Thread atExit) {
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // This ends already, and the process is what ends the rest.
    }
  }

  private static void forget(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // It runs already.
    }
  }
}
