package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.digits.Digits;
import dev.millrace.file.DataSpec;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.CoreOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A hundred million parameters, trained by two replicas in two processes that have the memory that
 * docs/operate/cluster.md names: checkpoints, a killed process, a savepoint and its export.
 */
class LargeModelIT {

  /** 784 features and 10 classes: 795 parameters each, and 10. */
  private static final int HIDDEN = 125_785;

  private static final long PARAMETERS = 795L * HIDDEN + 10;
  private static final DataSpec DIGITS = new Digits(6_000, 2);
  private static final int OF_ROUND = 48;
  private static final Pattern COLLECTION = Pattern.compile("Pause.*->(\\d+)M\\(\\d+M\\)");

  @ParameterizedTest
  @CsvSource({"sgd, 1", "adam, 3"})
  void isTrainedKeptRestoredAndExported(String updater, int vectors) throws Exception {
    long values = vectors * PARAMETERS;
    Path logs = Files.createDirectories(Distribution.workDirectory("large-" + updater + "-gc"));
    ClusterPlan plan =
        new ClusterPlan(
            2,
            1,
            false,
            false,
            Ports.free(),
            values,
            Map.of(
                "env.java.opts.taskmanager",
                options(logs),
                "taskmanager.memory.task.heap.size",
                (192 + 20 * values / (1 << 20)) + "mb"));
    try (TestCluster cluster = TestCluster.start("large-" + updater, plan, Hosts.LOOPBACK)) {
      TrainingRun run = run(cluster, updater);
      String job = run.submit(2);
      run.awaitExamples(2 * OF_ROUND);
      JobProcesses.awaitCheckpoint(cluster, job);
      long before = run.generation();
      long killed = System.currentTimeMillis();
      JobProcesses.taskManagerOf(cluster, job).kill();
      cluster.cluster().startMissing();
      Duration down = run.awaitGenerationAfter(before, killed);
      run.awaitExamples(run.examples() + 10 * OF_ROUND);
      JsonNode checkpoint = JobProcesses.awaitCheckpoint(cluster, job);
      double round = run.secondsARound();

      long stopped = System.nanoTime();
      String savepoint = run.stop(job);
      double stopping = seconds(stopped);
      Path archive = cluster.directory().resolve("model.zip");
      long exported = System.nanoTime();
      export(savepoint, archive);
      double exporting = seconds(exported);

      long bytes = checkpoint.get("state_size").asLong();
      Figures.tell(
          String.format(
              Locale.ROOT,
              "%s: %,d values; a round every %.1f s; checkpoint of %,d bytes (%.2f of the model) in"
                  + " %.1f s; %s bytes of heap a value and slot; training again after %.1f s; stop"
                  + " with savepoint %.1f s; export %.1f s, %,d bytes",
              updater,
              values,
              round,
              bytes,
              bytes / (4.0 * values),
              checkpoint.get("end_to_end_duration").asLong() / 1000.0,
              Math.round(mostHeap(logs) / (double) values),
              down.toMillis() / 1000.0,
              stopping,
              exporting,
              Files.size(archive)));
      assertThat(Files.size(archive)).isGreaterThan(4 * values);
      assertThat(bytes)
          .as("bytes of a checkpoint")
          .isLessThan((long) (1.3 * 4 * values + differing(values)));
      assertThat(StoredModel.open(archive.toString()).inspect().parameters()).isEqualTo(PARAMETERS);
    }
  }

  /** What both replicas may differ in, values and anchor. */
  private static long differing(long values) {
    return 2L * 2 * Float.BYTES * values;
  }

  private static String options(Path logs) {
    return String.format(
        Locale.ROOT,
        "%s -Xlog:gc:file=%s/%%p.log",
        Distribution.shippedConfiguration().get(CoreOptions.FLINK_TM_JVM_OPTIONS),
        logs);
  }

  private static TrainingRun run(TestCluster cluster, String updater) throws Exception {
    return new TrainingRun(
        cluster.flink(),
        Topic.of(cluster.bootstrapServers(), "large-" + updater, 2, DIGITS),
        cluster.directory().resolve("job"),
        Map.of(
            "model.name", "mlp",
            "model.hidden", String.valueOf(HIDDEN),
            "model.updater", updater,
            "model.learning-rate", "0.0001",
            "batch.local-size", String.valueOf(OF_ROUND / 2 / 3),
            "execution.checkpointing.interval", "20 s",
            "snapshot.directory", ""));
  }

  private static void export(String savepoint, Path archive) throws Exception {
    Process export =
        new ProcessBuilder(
                Distribution.script("millrace").toString(),
                "export",
                "--from",
                savepoint,
                "--to",
                archive.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(export.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(export.waitFor()).as(output).isZero();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /** Of any process, in bytes that a collection has left. */
  private static long mostHeap(Path logs) throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.flatMap(LargeModelIT::lines).mapToLong(LargeModelIT::left).max().orElseThrow();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long left(String line) {
    Matcher collection = COLLECTION.matcher(line);
    return collection.find() ? Long.parseLong(collection.group(1)) << 20 : 0;
  }
}
