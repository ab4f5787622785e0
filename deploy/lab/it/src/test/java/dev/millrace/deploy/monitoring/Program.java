package dev.millrace.deploy.monitoring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that a machine may have or not. */
record Program(Path file) {

  private static final int LIMIT_SECONDS = 30;

  /** What a run gave: exit status, and all that was written. */
  record Result(int status, String output) {}

  static Optional<Program> find(String name) {
    String path = System.getenv("PATH");
    return Stream.of((path == null ? "" : path).split(File.pathSeparator))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Program::new);
  }

  /** Starts it, with its output in a file. It ends with this process at the latest. */
  Process start(Path log, String... arguments) throws IOException {
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  /** Runs it to its end; {@code log} is where its output may be kept meanwhile. */
  Result run(Path log, String... arguments) throws IOException, InterruptedException {
    Process process = start(log, arguments);
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(file + " takes longer than " + LIMIT_SECONDS + " s");
    }
    return new Result(process.exitValue(), Files.readString(log));
  }
}
