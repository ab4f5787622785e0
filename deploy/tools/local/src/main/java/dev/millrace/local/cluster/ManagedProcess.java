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
 * since ids are used again. Linux tells that in ticks since the machine was started, which stay the
 * same when its clock is set; elsewhere it is the time.
 */
public final class ManagedProcess {

  /** Places among what Linux tells behind a process's name: see proc(5). */
  private static final int STATE = 0;

  private static final int START_TICKS = 19;
  private static final long UNKNOWN = -1;

  private final String name;
  private final Path file;
  private final long pid;
  private final long start;

  private ManagedProcess(String name, Path file, long pid, long start) {
    this.name = name;
    this.file = file;
    this.pid = pid;
    this.start = start;
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
    long start = startOf(process.toHandle()).orElse(UNKNOWN);
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
        .filter(process -> startOf(process).map(when -> when == start).orElse(true));
  }

  /**
   * Whether it has ended, and nobody has asked how: so it stays in a container whose first process
   * isn't an init, and Java takes it for alive.
   */
  private boolean isZombie() {
    return statistics(pid).map(words -> words.get(STATE).equals("Z")).orElse(false);
  }

  private static Optional<Long> startOf(ProcessHandle process) {
    Optional<Long> ticks =
        statistics(process.pid()).map(words -> Long.parseLong(words.get(START_TICKS)));
    return ticks.or(() -> process.info().startInstant().map(Instant::toEpochMilli));
  }

  /** Empty on another system, or where it has just gone. */
  private static Optional<List<String>> statistics(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // Behind the name of its program, which is in brackets and may hold some.
      return Optional.of(List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
