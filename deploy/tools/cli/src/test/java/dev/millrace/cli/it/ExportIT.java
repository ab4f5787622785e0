package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cli.models.Inspection;
import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.PlainNetwork;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.MemberReport;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Replicas;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models out of savepoints and checkpoints, against those that the job itself has published. */
class ExportIT {

  private static final int CHECKPOINTS = 2;
  private static final int NEWEST = 5;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"DL4J, hashmap, 1, full checkpoint", "TORCH, rocksdb, 3, incremental checkpoint"})
  void everyKindOfSnapshotHoldsTheModelThatTheJobPublished(
      TestEngine engine, String backend, int replicas, String incremental) throws Exception {
    everyKindHoldsTheModel(engine, backend, replicas, incremental);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "DL4J, hashmap, 3, full checkpoint",
    "DL4J, rocksdb, 1, incremental checkpoint",
    "TORCH, hashmap, 1, full checkpoint"
  })
  void soItDoesWithOtherReplicas(
      TestEngine engine, String backend, int replicas, String incremental) throws Exception {
    everyKindHoldsTheModel(engine, backend, replicas, incremental);
  }

  private void everyKindHoldsTheModel(
      TestEngine engine, String backend, int replicas, String incremental) throws Exception {
    String topic = Broker.topic(replicas);
    for (int partition = 0; partition < replicas; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(4_000)));
    }
    Job job =
        new Job(topic, directory)
            .engine(engine)
            .parallelism(replicas)
            .backend(backend)
            .set("input.bounded", "false")
            .set("input.standardize", "on")
            .set("model.hidden", "64")
            .set("snapshot.interval", "100 ms")
            .set("snapshot.keep", "10000")
            .flink("execution.checkpointing.data-inline-threshold", "0b")
            .flink("execution.checkpointing.incremental", "true");

    JobClient client = job.start();
    assertCheckpointsHoldTheirModels(job, topic, replicas, incremental, backend);
    String canonical = job.stop(client, false, SavepointFormatType.CANONICAL);
    assertHoldsThePublished(job, canonical, "canonical savepoint", "any");

    client = job.from(canonical).flink("execution.checkpointing.incremental", "false").start();
    assertCheckpointsHoldTheirModels(job, topic, replicas, "full checkpoint", backend);
    String nativeFormat = job.stop(client, false, SavepointFormatType.NATIVE);
    assertHoldsThePublished(job, nativeFormat, "native savepoint", backend);
  }

  /** While the job trains: those of its checkpoints whose models were published, too. */
  private void assertCheckpointsHoldTheirModels(
      Job job, String topic, int partitions, String kind, String backend) {
    Set<Path> compared = new HashSet<>();
    job.await(
        () -> {
          // All replicas have more to learn, so that there are more rounds: nobody is idle for an
          // hour.
          for (int partition = 0; partition < partitions; partition++) {
            Broker.produce(topic, partition, Blobs.encode(new Blobs(9).next(500)));
          }
          for (Path checkpoint : checkpoints()) {
            try {
              Inspection told = StoredModel.open(checkpoint.toString()).inspect();
              if (told.version().round() > 0
                  && told.kind().equals(kind)
                  && Files.exists(published(job, told))
                  && !compared.contains(checkpoint)) {
                assertHoldsThePublished(job, checkpoint.toString(), kind, backend);
                compared.add(checkpoint);
              }
            } catch (IOException | AssertionError e) {
              // The job deletes older checkpoints, file by file.
              if (checkpoints().contains(checkpoint)) {
                throw e;
              }
            }
          }
          return compared.size() >= CHECKPOINTS;
        });
  }

  /** The newest ones, the newest first. */
  private List<Path> checkpoints() {
    Path root = directory.resolve("checkpoints");
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(Path::getParent)
          .sorted(Comparator.comparingLong(ExportIT::number).reversed())
          .limit(NEWEST)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      // Files that are being written go while this looks.
      return List.of();
    }
  }

  /** Of a directory {@code chk-N}; it goes up over restarts. */
  private static long number(Path checkpoint) {
    return Long.parseLong(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  private static Path published(Job job, Inspection told) {
    return job.models().resolve("model-%s.zip".formatted(told.version()));
  }

  private void assertHoldsThePublished(Job job, String path, String kind, String backend)
      throws Exception {
    Inspection told = StoredModel.open(path).inspect();
    assertThat(told.kind()).isEqualTo(kind);
    assertThat(told.savepoint().backend()).isEqualTo(backend);
    assertThat(told.savepoint().blocks()).isGreaterThan(5);
    Path archive = directory.resolve("exported.zip");

    ModelExport.run(path, archive, true, (blocks, all, bytes) -> {});

    Path published = published(job, told);
    ModelEngine engine = ModelEngine.named(told.engine());
    ArchivedModel ours = engine.readArchive(archive);
    ArchivedModel theirs = engine.readArchive(published);
    assertThat(ours.vector()).isEqualTo(theirs.vector());
    assertThat(ours.iteration()).isEqualTo(theirs.iteration()).isPositive();
    List<Example> examples = new Blobs(77).next(50);
    assertThat(plain(engine, archive).predict(examples))
        .isEqualTo(plain(engine, published).predict(examples));
    assertThat(StoredModel.open(archive.toString()).inspect().ledger())
        .isEqualTo(told.ledger())
        .isEqualTo(StoredModel.open(published.toString()).inspect().ledger());
  }

  private static PlainNetwork plain(ModelEngine engine, Path archive) throws IOException {
    return TestEngine.valueOf(engine.name().toUpperCase(Locale.ROOT)).open(archive);
  }

  /**
   * The job makes each model of the one before and of a change, {@code a + (b - a)}, which rounds:
   * bit for bit where the engine's steps are followed by the same sum, and nearly so in the
   * engine's library without it.
   */
  @EachEngine
  void trainingGoesOnFromItAsTheJobDoes(TestEngine engine) throws Exception {
    int before = 40;
    int after = 60;
    List<Example> examples = new Blobs(3).next(8 * (before + after));
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(examples.subList(0, 8 * before)));
    Job job =
        new Job(topic, directory)
            .engine(engine)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("input.standardize", "off")
            .set("exchange.schedule", "sync")
            .set("exchange.local-steps", "1");
    String savepoint = stopAt(job, topic, 8L * before);
    Path archive = directory.resolve("exported.zip");
    ModelExport.run(savepoint, archive, false, (blocks, all, bytes) -> {});

    Broker.produce(topic, 0, Blobs.encode(examples.subList(8 * before, examples.size())));
    stopAt(job.from(savepoint), topic, 8L * (before + after));
    PlainNetwork plain = engine.open(archive);
    InitialModel model = engine.engine().define(new Archive(archive, Blobs.SHAPE));
    try (ModelReplica inRounds = Replicas.of(engine.engine(), model)) {
      for (int at = 8 * before; at < examples.size(); at += 8) {
        List<Example> batch = examples.subList(at, at + 8);
        plain.fit(batch);
        round(inRounds, batch);
      }

      ArchivedModel continued = job.trained();
      assertThat(continued.vector()).isEqualTo(Replicas.vector(inRounds));
      assertThat(continued.iteration()).isEqualTo(inRounds.steps().iteration());
      assertThat(continued.vector()).containsExactly(plain.vector(), within(1e-5f));
    }
  }

  @Test
  void membersOfAPopulationAreToldOfASavepointAsOfItsArchive() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(3).next(400)));
    Job job =
        new Job(topic, directory)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("exchange.schedule", "sync")
            .set("exchange.local-steps", "1")
            .set("model.population.learning-rates", "0.00001;0.03")
            .set("model.population.follow", "0.01");
    String savepoint = stopAt(job, topic, 400);
    Path archive = directory.resolve("exported.zip");
    ModelExport.run(savepoint, archive, false, (blocks, all, bytes) -> {});

    Inspection told = StoredModel.open(savepoint).inspect();

    assertThat(told.population())
        .hasSize(2)
        .isEqualTo(StoredModel.open(archive.toString()).inspect().population());
    double slow = told.population().get(0).learningRate();
    double fast = told.population().get(1).learningRate();
    assertThat(fast).as("it has followed").isNotEqualTo(0.03);
    assertThat(fast / slow).isCloseTo(3000, within(0.1));
    assertThat(told.population().stream().mapToDouble(MemberReport::weight).sum())
        .isCloseTo(1, within(1e-6));
    assertThat(told.toText())
        .containsPattern("member +learning rate +replayed +weight +loss")
        .containsPattern("\\n +1 .* all ");
  }

  private static void round(ModelReplica replica, List<Example> batch) {
    Minibatch minibatch = new Minibatch(Blobs.SHAPE, batch.size());
    for (Example example : batch) {
      minibatch.add(example.features(), example.labels(), 1, new Partition("blobs", 0), 0);
    }
    float[] before = Replicas.vector(replica);
    Replicas.fit(replica, minibatch);
    float[] after = Replicas.vector(replica);
    for (int i = 0; i < after.length; i++) {
      after[i] = before[i] + (after[i] - before[i]);
    }
    replica.write(0, after, 0, after.length);
  }

  /** At the end of a round: the records are whole batches, and each batch is a round. */
  static String stopAt(Job job, String topic, long taken) throws Exception {
    JobClient client = job.start();
    job.await(() -> job.taken() == taken);
    String savepoint = job.stop(client, false);
    job.assertTookAll(topic, taken);
    return savepoint;
  }
}
