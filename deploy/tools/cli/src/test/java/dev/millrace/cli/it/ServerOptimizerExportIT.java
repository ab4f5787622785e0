package dev.millrace.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server optimizer has kept goes with an export, and a warm start goes on from it. */
@Tag("slow")
class ServerOptimizerExportIT {

  private static final int BATCH = 8;
  private static final int ROUNDS = 40;
  private static final int FURTHER = 20;

  @TempDir Path directory;

  @Test
  void aWarmStartFromAnExportGoesOnAsTheJobItselfDoes() throws Exception {
    List<Example> examples = new Blobs(3).next(BATCH * (ROUNDS + FURTHER));
    List<Example> further = examples.subList(BATCH * ROUNDS, examples.size());
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(examples.subList(0, BATCH * ROUNDS)));
    Job job = job(topic, directory).set("model.hidden", "64").set("input.bounded", "false");
    String savepoint = stopAt(job, topic, (long) BATCH * ROUNDS);
    Path archive = directory.resolve("exported.zip");
    ModelExport export = ModelExport.run(savepoint, archive, false, (blocks, all, bytes) -> {});
    Path without = Files.copy(archive, directory.resolve("without.zip"));
    leaveOut(without, "millrace/serverOptimizer.bin");

    Broker.produce(topic, 0, Blobs.encode(further));
    stopAt(job.from(savepoint), topic, examples.size());
    float[] continued = job.parameters();

    assertThat(warm("warm", archive, further)).isEqualTo(continued);
    assertThat(distance(warm("anew", without, further), continued)).isGreaterThan(1e-3);
    assertThat(kept(archive)).isEqualTo((long) export.model().spec().parameters());
    assertThat(kept(without)).isZero();
    assertThat(kept(LatestSnapshot.find(job.models()).orElseThrow().archive())).isZero();
  }

  private static Job job(String topic, Path directory) {
    return new Job(topic, directory)
        .parallelism(1)
        .set("input.standardize", "off")
        .set("snapshot.rounds", "1")
        .set("exchange.schedule", "sync")
        .set("exchange.local-steps", "1")
        .set("exchange.server-optimizer", "nesterov")
        .set("exchange.server-learning-rate", "0.7")
        .set("exchange.server-momentum", "0.9");
  }

  /** Where a job ends that begins with an archive; it cuts the model into other blocks. */
  private float[] warm(String name, Path archive, List<Example> examples) throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(examples));
    Job job =
        job(topic, Files.createDirectory(directory.resolve(name)))
            .unset("model.name")
            .unset("model.hidden")
            .set("model.archive", archive.toString())
            .set("exchange.block-size", "2 kb");
    return job.run().parameters();
  }

  private static String stopAt(Job job, String topic, long taken) throws Exception {
    JobClient client = job.start();
    // Not the positions in Kafka: where no more comes, the last are committed 10 seconds later.
    job.await(
        () ->
            LatestSnapshot.find(job.models())
                .filter(
                    latest -> LedgerCheck.taken(latest.description(), topic, 0).count() == taken)
                .isPresent());
    String savepoint = job.stop(client, false);
    job.assertTookAll(topic, taken);
    return savepoint;
  }

  private static void leaveOut(Path archive, String entry) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(archive)) {
      Files.delete(zip.getPath(entry));
    }
  }

  private static long kept(Path archive) throws IOException {
    return StoredModel.open(archive.toString()).inspect().serverOptimizerState();
  }

  private static double distance(float[] one, float[] other) {
    double greatest = 0;
    for (int i = 0; i < one.length; i++) {
      greatest = Math.max(greatest, Math.abs(one[i] - other[i]));
    }
    return greatest;
  }
}
