package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.MillraceCli;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model of 100 MB of parameters, exported by a JVM that has room for little more. */
@Tag("nightly")
class LargeModelExportIT {

  /** Of 8 features and 3 classes: 12 parameters each, and 3. */
  private static final int HIDDEN = 2_100_000;

  private static final long PARAMETER_BYTES = 4L * (12 * HIDDEN + 3);
  private static final Pattern HEAP_AFTER = Pattern.compile("Pause.* (\\d+)M->(\\d+)M\\(\\d+M\\)");

  @TempDir Path directory;

  @Test
  void takesLessHeapThanThreeTimesTheModel() throws Exception {
    String savepoint = savepoint();
    Path archive = directory.resolve("model.zip");
    Path log = directory.resolve("gc.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        // What Flink needs opened, and where this test's temporary files and native code lie.
        .filter(argument -> argument.matches("(--add-opens|-Djava.io|-Dorg.bytedeco).*"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx" + 3 * PARAMETER_BYTES / 1_000_000 * 1_000_000,
            "-XX:G1HeapRegionSize=16m",
            "-Xlog:gc:file=" + log,
            "-cp",
            System.getProperty("java.class.path"),
            MillraceCli.class.getName(),
            "export",
            "--from",
            savepoint,
            "--to",
            archive.toString()));

    long begun = System.nanoTime();
    Process export = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(export.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(export.waitFor(1, TimeUnit.MINUTES)).isTrue();
    Duration took = Duration.ofNanos(System.nanoTime() - begun);

    assertThat(export.exitValue()).as(output).isZero();
    assertThat(Files.size(archive)).isGreaterThan(PARAMETER_BYTES);
    assertThat(took).isLessThan(Duration.ofSeconds(30));
    System.out.printf(
        "Export of %,d bytes of parameters: %d ms, %,d MB of heap at most before a collection%n",
        PARAMETER_BYTES, took.toMillis(), mostHeap(log));
  }

  private String savepoint() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(8)));
    Job job =
        new Job(topic, directory)
            .parallelism(1)
            .restarts(0)
            .set("input.bounded", "false")
            .set("model.hidden", String.valueOf(HIDDEN))
            .set("model.updater", "sgd")
            .set("exchange.local-steps", "1")
            .set("exchange.block-size", "512 kb")
            .set("execution.checkpointing.interval", "10 min")
            .unset("snapshot.directory");
    JobClient client = job.start();
    job.await(() -> job.taken() == 8);
    return job.stop(client, false);
  }

  private static long mostHeap(Path log) throws IOException {
    long most = 0;
    Matcher matcher = HEAP_AFTER.matcher(Files.readString(log));
    while (matcher.find()) {
      most = Math.max(most, Long.parseLong(matcher.group(1)));
    }
    return most;
  }
}
