package dev.millrace.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that outlives this one. A file tells which it is: its id, and when it was started,
 * since ids are used again.
 */
public final class ManagedProcess {

  private final String name;
  private final Path file;
  private final long pid;
  private final long startMillis;

  private ManagedProcess(String name, Path file, long pid, long startMillis) {
    this.name = name;
    this.file = file;
    this.pid = pid;
    this.startMillis = startMillis;
  }

  /** Starts it, without a terminal. */
  static ManagedProcess start(
      String name, List<String> command, Map<String, String> environment, ClusterFiles files)
      throws IOException {
    List<String> detached = new ArrayList<>();
    detached.add("nohup");
    detached.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(detached)
            .directory(files.root().toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(files.output(name).toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    long start =
        process.info().startInstant().map(Instant::toEpochMilli).orElse(System.currentTimeMillis());
    Files.writeString(files.pid(name), "%s %s%n".formatted(process.pid(), start));
    return new ManagedProcess(name, files.pid(name), process.pid(), start);
  }

  /** Finds the process that was started under a name and not stopped. */
  static ManagedProcess read(String name, ClusterFiles files) throws IOException {
    Path file = files.pid(name);
    String[] words = Files.readString(file).strip().split(" ", -1);
    try {
      return new ManagedProcess(name, file, Long.parseLong(words[0]), Long.parseLong(words[1]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new ClusterException(
          "%s should hold a process id and a time; end the process yourself and delete the file"
              .formatted(file),
          e);
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return pid;
  }

  public boolean isAlive() {
    return handle().isPresent();
  }

  /** Ends it in good order, or kills it when that takes too long, and forgets it. */
  void stop(Duration limit) throws IOException {
    handle()
        .ifPresent(
            process -> {
              process.destroy();
              if (!ended(process, limit)) {
                process.destroyForcibly();
                ended(process, limit);
              }
            });
    Files.deleteIfExists(file);
  }

  /** Has it stand still, as a machine does that swaps, until it is {@linkplain #resume resumed}. */
  public void pause() throws IOException {
    signal("STOP");
  }

  public void resume() throws IOException {
    signal("CONT");
  }

  /** Java has no signals but those that end a process. */
  private void signal(String name) throws IOException {
    if (isAlive()) {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().onExit().join();
    }
  }

  /** Ends it as a power cut would. */
  public void kill() {
    handle()
        .ifPresent(
            process -> {
              process.destroyForcibly();
              ended(process, Duration.ofSeconds(10));
            });
  }

  private static boolean ended(ProcessHandle process, Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> !isZombie())
        .filter(
            process ->
                process
                    .info()
                    .startInstant()
                    .map(start -> start.toEpochMilli() == startMillis)
                    .orElse(true));
  }

  /**
   * Whether it has ended, and nobody has asked how: so it stays in a container whose first process
   * isn't an init, and Java takes it for alive.
   */
  private boolean isZombie() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // Behind the name of its program, which is in brackets and may hold some.
      return stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
    } catch (IOException e) {
      // Another system, or it has just gone.
      return false;
    }
  }
}
