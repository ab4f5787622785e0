package dev.millrace.model.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A directory of native code that this process has locked, and a process that waits for it. What
 * that one prints is read until it says that it waits, and then to its end.
 */
public final class LockedDirectory implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final FileChannel lock;

  private Process process;
  private BufferedReader printed;

  private LockedDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  public static LockedDirectory of(Path directory) throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve("millrace.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    file.lock();
    return new LockedDirectory(directory, file);
  }

  /**
   * Starts a process that unpacks native code to the directory.
   *
   * @return what it printed until it waits
   * @throws AssertionError if it ends without waiting
   */
  public List<String> waiting(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dlog4j2.level=info");
    command.add("-Dorg.bytedeco.javacpp.cachedir=" + directory);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).exceptionally(this::end);
    printed = process.inputReader(UTF_8);
    List<String> lines = new ArrayList<>();
    for (String line = printed.readLine(); line != null; line = printed.readLine()) {
      if (line.contains("Waiting for another process")) {
        return lines;
      }
      lines.add(line);
    }
    throw new AssertionError("It didn't wait: " + lines);
  }

  /** Whoever reads what it prints goes on then. */
  private Process end(Throwable late) {
    return process.destroyForcibly();
  }

  /** Lets the process go on, and returns what it prints to its end. */
  public List<String> released() throws IOException {
    lock.close();
    return printed.lines().toList();
  }

  @Override
  public void close() throws IOException {
    lock.close();
    if (process != null) {
      process.destroyForcibly();
      printed.close();
    }
  }
}
