package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Scoring;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.CommittedRecords;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All of a job's files on S3 or HDFS, and none here: checkpoints that it goes on from after
 * failures, a savepoint, models, and what is done with them.
 */
@Tag("nightly")
class WholePathIT {

  private static final int EXAMPLES = 4_000;
  private static final int FAULTS = 3;

  @TempDir private Path directory;

  @AfterEach
  void forgetThePlugin() {
    FileSystem.initialize(new Configuration(), null);
  }

  @ParameterizedTest
  @EnumSource
  void onS3(Plugins plugin) throws Exception {
    try (S3Server server = S3Server.start()) {
      plugin.use(server.configuration());
      wholePath(server.uri("job"), server.configuration(), plugin.folder());
    }
  }

  @Test
  void onHdfs() throws Exception {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(
                new org.apache.hadoop.conf.Configuration(), directory.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build();
    try {
      cluster.waitActive();
      FileSystem.initialize(new Configuration(), null);
      wholePath(cluster.getURI() + "/job", new Configuration(), null);
    } finally {
      cluster.shutdown();
    }
  }

  private void wholePath(String place, Configuration flink, Path plugins) throws Exception {
    String topic = Broker.topic(2);
    produce(topic, 1);
    long seed = Seeds.next();
    Job first = job(topic, place).faults(new SeededFaults(seed, FAULTS, 60));
    JobClient running = first.start();
    first.await(() -> first.taken() > EXAMPLES * 3 / 4);
    String savepoint = stop(running, place, false);
    produce(topic, 2);
    Job second = job(topic, place).from(savepoint);
    JobClient again = second.start();
    second.await(() -> second.taken() > EXAMPLES * 3 / 2);
    stop(again, place, true);

    String models = place + "/models";
    SnapshotDescription last =
        new SnapshotCatalog(SnapshotPlace.of(models).open())
            .described(Pointer.COMMITTED)
            .orElseThrow();
    assertThat(last.version().generation()).as("seed %d", seed).isGreaterThan(FAULTS);
    assertThat(
            LedgerCheck.requirePrefix(last, topic).values().stream()
                .mapToLong(Long::longValue)
                .sum())
        .isGreaterThan(EXAMPLES * 3 / 2);
    score(topic, models);

    Path archive = directory.resolve("model.zip");
    run(flink, plugins, "export", "--from", savepoint, "--to", archive.toString());
    assertThat(archive).isNotEmptyFile();
    assertThat(run(flink, plugins, "inspect", "--json", models)).contains("committed");
    String broker = Broker.cluster().bootstrapServers();
    for (String audited : List.of(models, savepoint)) {
      assertThat(run(flink, plugins, "audit", audited, "--kafka.bootstrap.servers", broker))
          .contains("each exactly once, and none is missing");
    }
    String report = place + "/evaluation.json";
    run(
        flink,
        plugins,
        ("evaluate --model %s --data topic:%s --json %s --kafka.bootstrap.servers %s"
                + " --input.format float32 --input.features 8 --input.outputs 3")
            .formatted(models, topic, report, broker)
            .split(" "));
    assertThat(SnapshotPlace.of(place).open().names()).containsExactly("evaluation.json");
  }

  private static String stop(JobClient client, String place, boolean drain) throws Exception {
    String savepoint =
        client
            .stopWithSavepoint(drain, place + "/savepoints", SavepointFormatType.CANONICAL)
            .get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    client.getJobExecutionResult().get(Job.LIMIT.toMinutes(), TimeUnit.MINUTES);
    return savepoint;
  }

  private static void produce(String topic, int seed) throws Exception {
    Broker.produce(topic, 0, Blobs.encode(new Blobs(seed).next(EXAMPLES / 2)));
    Broker.produce(topic, 1, Blobs.encode(new Blobs(seed + 10).next(EXAMPLES / 2)));
  }

  private Job job(String topic, String place) {
    return new Job(topic, directory)
        .set("input.bounded", "false")
        .set("execution.checkpointing.interval", "1 s")
        .set("execution.checkpointing.dir", place + "/checkpoints")
        .set("snapshot.directory", place + "/models")
        .set("snapshot.interval", "500 ms");
  }

  /** The last model predicts for each record once. */
  private void score(String topic, String models) throws Exception {
    Scoring scoring =
        new Scoring(topic, directory)
            .set("input.format", "float32")
            .set("input.features", "8")
            .set("input.outputs", "3")
            .set("input.target", "classification")
            .set("scoring.models", models)
            .run();
    try (CommittedRecords predictions = new CommittedRecords(Broker.cluster(), scoring.output())) {
      assertThat(predictions.readMore(prediction -> {})).isEqualTo(2 * EXAMPLES);
    }
  }

  private String run(Configuration flink, Path plugins, String... words) throws Exception {
    Command command = Command.run(directory, flink, plugins, words);
    assertThat(command.exitCode()).as(command.output()).isZero();
    return command.output();
  }
}
