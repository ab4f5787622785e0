package dev.millrace.chaos;

import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import dev.millrace.model.io.TemporaryFiles;
import example.beside.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs of a cluster, started and stopped as users do: by Flink's own command line.
 *
 * <p>Not thread-safe.
 */
final class JobControl {

  private static final Pattern JOB = Pattern.compile("JobID ([0-9a-f]{32})");
  private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");

  private static final String NOT_RUNNING = "Not all required tasks are currently running";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Longer than Flink's own time limits for a savepoint and for a submission. */
  private static final Duration LIMIT = Duration.ofMinutes(12);

  private record Said(int status, String output) {}

  private final LocalCluster cluster;
  private final Installation installation;
  private final String savepoints;

  /**
   * @param savepoints directory that they go to, as Flink takes it
   */
  JobControl(LocalCluster cluster, Installation installation, String savepoints) {
    this.cluster = cluster;
    this.installation = installation;
    this.savepoints = savepoints;
  }

  /**
   * Submits a training job.
   *
   * @param config its options
   * @param savepointOrNull to go on from
   * @return its id
   */
  String submit(Path config, int replicas, String savepointOrNull)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", "-d", "-p", "" + replicas));
    if (savepointOrNull != null) {
      arguments.addAll(List.of("-s", savepointOrNull));
    }
    arguments.addAll(List.of(installation.jobJar().toString(), "--config", config.toString()));
    return run(arguments, JOB);
  }

  /**
   * Submits a program with one replica, which makes a checkpoint every second.
   *
   * @param checkpoints directory that they go to, as Flink takes it
   * @param arguments of the program
   * @return its id
   */
  String submit(Way way, String checkpoints, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("run", "-d", "-p", "1"));
    all.add("-Dexecution.checkpointing.interval=1 s");
    all.add("-Dexecution.checkpointing.dir=" + checkpoints);
    all.addAll(Programs.ofThisProcess().arguments(way, installation.home()));
    all.addAll(arguments);
    return run(all, JOB);
  }

  /**
   * Stops a job with a savepoint.
   *
   * @return where that is
   */
  String stop(String job) throws IOException, InterruptedException {
    return run(List.of("stop", "-p", savepoints, job), SAVEPOINT);
  }

  /** Takes a savepoint of a job that goes on. */
  void savepoint(String job) throws IOException, InterruptedException {
    run(List.of("savepoint", job, savepoints), SAVEPOINT);
  }

  /**
   * Asks again while tasks don't run yet, as after a restart.
   *
   * @return what the pattern finds in what the command has said
   * @throws ChaosException if it fails
   */
  private String run(List<String> arguments, Pattern answer)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Said said = say(arguments);
      Matcher matcher = answer.matcher(said.output());
      if (said.status() == 0 && matcher.find()) {
        return matcher.group(1);
      }
      if (!said.output().contains(NOT_RUNNING) || System.nanoTime() > deadline) {
        throw new ChaosException(
            "flink %s ended with %s:%n%s"
                .formatted(String.join(" ", arguments), said.status(), said.output()));
      }
    }
  }

  private Said say(List<String> arguments) throws IOException, InterruptedException {
    // To a file, since reading what a client says waits for as long as it lives.
    Path output = TemporaryFiles.file("flink-client-", ".log");
    Process process =
        cluster.client(arguments).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ChaosException(
            "flink %s didn't end within %s s:%n%s"
                .formatted(
                    String.join(" ", arguments), LIMIT.toSeconds(), Files.readString(output)));
      }
      return new Said(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
