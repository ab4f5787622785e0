package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cli.models.Inspection;
import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.factory.Nd4j;

/** Models out of savepoints and checkpoints, against those that the job itself has published. */
class ExportIT {

  private static final int CHECKPOINTS = 2;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"hashmap, 1, full checkpoint", "rocksdb, 3, incremental checkpoint"})
  void everyKindOfSnapshotHoldsTheModelThatTheJobPublished(
      String backend, int replicas, String incremental) throws Exception {
    everyKindHoldsTheModel(backend, replicas, incremental);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({"hashmap, 3, full checkpoint", "rocksdb, 1, incremental checkpoint"})
  void soItDoesWithOtherReplicas(String backend, int replicas, String incremental)
      throws Exception {
    everyKindHoldsTheModel(backend, replicas, incremental);
  }

  private void everyKindHoldsTheModel(String backend, int replicas, String incremental)
      throws Exception {
    String topic = Broker.topic(replicas);
    for (int partition = 0; partition < replicas; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(4_000)));
    }
    Job job =
        new Job(topic, directory)
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
    assertCheckpointsHoldTheirModels(job, topic, incremental, backend);
    String canonical = job.stop(client, false, SavepointFormatType.CANONICAL);
    assertHoldsThePublished(job, canonical, "canonical savepoint", "any");

    client = job.from(canonical).flink("execution.checkpointing.incremental", "false").start();
    assertCheckpointsHoldTheirModels(job, topic, "full checkpoint", backend);
    String nativeFormat = job.stop(client, false, SavepointFormatType.NATIVE);
    assertHoldsThePublished(job, nativeFormat, "native savepoint", backend);
  }

  /** While the job goes on: those of its checkpoints whose models were published, too. */
  private void assertCheckpointsHoldTheirModels(
      Job job, String topic, String kind, String backend) {
    Set<Path> compared = new HashSet<>();
    job.await(
        () -> {
          // There is always more to learn, so that rounds go on.
          Broker.produce(topic, 0, Blobs.encode(new Blobs(9).next(500)));
          for (Path checkpoint : checkpoints()) {
            Inspection told = StoredModel.open(checkpoint.toString()).inspect();
            if (told.version().round() > 0
                && told.kind().equals(kind)
                && Files.exists(published(job, told))
                && compared.add(checkpoint)) {
              assertHoldsThePublished(job, checkpoint.toString(), kind, backend);
            }
          }
          return compared.size() >= CHECKPOINTS;
        });
  }

  private List<Path> checkpoints() {
    Path root = directory.resolve("checkpoints");
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.endsWith("_metadata")).map(Path::getParent).toList();
    } catch (IOException | UncheckedIOException e) {
      // Files that are being written go while this looks.
      return List.of();
    }
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
    MultiLayerNetwork ours = ModelSerializer.restoreMultiLayerNetwork(archive.toFile(), true);
    MultiLayerNetwork theirs = ModelSerializer.restoreMultiLayerNetwork(published.toFile(), true);
    assertThat(floats(ours.params())).isEqualTo(floats(theirs.params()));
    assertThat(floats(state(ours))).isEqualTo(floats(state(theirs)));
    assertThat(ours.getIterationCount()).isEqualTo(theirs.getIterationCount()).isPositive();
    assertThat(predictions(ours, archive)).isEqualTo(predictions(theirs, published));
    assertThat(StoredModel.open(archive.toString()).inspect().ledger())
        .isEqualTo(told.ledger())
        .isEqualTo(StoredModel.open(published.toString()).inspect().ledger());
  }

  /** Of examples as they come, by the archive's own normalizer. */
  private static float[] predictions(MultiLayerNetwork network, Path archive) throws Exception {
    INDArray features = features(new Blobs(77).next(50));
    DataNormalization normalizer = ModelSerializer.restoreNormalizerFromFile(archive.toFile());
    normalizer.transform(features);
    return floats(network.output(features));
  }

  /**
   * The job makes each model of the one before and of a change, {@code a + (b - a)}, which rounds:
   * bit for bit where plain DL4J's steps are followed by the same sum, and nearly so without it.
   */
  @Test
  void plainDl4jGoesOnFromItAsTheJobDoes() throws Exception {
    int before = 40;
    int after = 60;
    List<Example> examples = new Blobs(3).next(8 * (before + after));
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(examples.subList(0, 8 * before)));
    Job job =
        new Job(topic, directory)
            .parallelism(1)
            .set("input.bounded", "false")
            .set("input.standardize", "off")
            .set("exchange.schedule", "sync")
            .set("exchange.local-steps", "1");
    String savepoint = stopAt(job, topic, 8L * before);
    File archive = directory.resolve("exported.zip").toFile();
    ModelExport.run(savepoint, archive.toPath(), false, (blocks, all, bytes) -> {});

    Broker.produce(topic, 0, Blobs.encode(examples.subList(8 * before, examples.size())));
    stopAt(job.from(savepoint), topic, 8L * (before + after));
    MultiLayerNetwork plain = ModelSerializer.restoreMultiLayerNetwork(archive, true);
    MultiLayerNetwork inRounds = ModelSerializer.restoreMultiLayerNetwork(archive, true);
    for (int at = 8 * before; at < examples.size(); at += 8) {
      List<Example> batch = examples.subList(at, at + 8);
      plain.fit(features(batch), labels(batch));
      float[] parameters = floats(inRounds.params());
      float[] state = floats(state(inRounds));
      inRounds.fit(features(batch), labels(batch));
      addChange(parameters, inRounds.params());
      addChange(state, state(inRounds));
    }

    MultiLayerNetwork continued = job.network();
    assertThat(floats(continued.params())).isEqualTo(floats(inRounds.params()));
    assertThat(floats(state(continued))).isEqualTo(floats(state(inRounds)));
    assertThat(continued.getIterationCount()).isEqualTo(inRounds.getIterationCount());
    assertThat(floats(continued.params())).containsExactly(floats(plain.params()), within(1e-6f));
  }

  private static void addChange(float[] before, INDArray values) {
    float[] after = floats(values);
    for (int i = 0; i < after.length; i++) {
      after[i] = before[i] + (after[i] - before[i]);
    }
    values.assign(Nd4j.createFromArray(after).reshape(values.shape()));
  }

  /** At the end of a round: the records are whole batches, and each batch is a round. */
  static String stopAt(Job job, String topic, long taken) throws Exception {
    JobClient client = job.start();
    job.await(() -> job.taken() == taken);
    String savepoint = job.stop(client, false);
    job.assertTookAll(topic, taken);
    return savepoint;
  }

  private static INDArray state(MultiLayerNetwork network) {
    return network.getUpdater().getStateViewArray();
  }

  private static float[] floats(INDArray array) {
    return array.dup('c').data().asFloat();
  }

  private static INDArray features(List<Example> batch) {
    return Nd4j.create(batch.stream().map(Example::features).toArray(float[][]::new));
  }

  private static INDArray labels(List<Example> batch) {
    return Nd4j.create(batch.stream().map(Example::labels).toArray(float[][]::new));
  }
}
