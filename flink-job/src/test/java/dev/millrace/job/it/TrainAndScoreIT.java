package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.testing.Predictions.One;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that learns from a topic, and scores with what it has learned. */
class TrainAndScoreIT {

  @TempDir Path directory;

  /** Predictions are those of the engine's library with the same archive. */
  @EachEngine
  void scoresWithTheModelThatItPublishes(TestEngine engine) throws Exception {
    String topic = Broker.topic(1);
    String output = Broker.topic(1);
    List<Example> examples = new Blobs(5).next(300);
    Broker.produce(topic, 0, Blobs.encode(examples));
    Job job =
        scoring(topic, output).engine(engine).parallelism(1).set("input.classes", "red;green;blue");

    job.run();

    List<One> predictions = read(output);
    assertThat(predictions).hasSize(examples.size());
    String version = job.description().version().toString();
    float[] expected = job.plain().predict(examples);
    for (One prediction : predictions) {
      assertThat(prediction.value().get("version").asText()).isEqualTo(version);
      float best = -1;
      int bestClass = -1;
      for (int i = 0; i < 3; i++) {
        float probability = expected[3 * (int) prediction.offset() + i];
        assertThat(prediction.number("probabilities", i)).isCloseTo(probability, within(1e-6f));
        bestClass = probability > best ? i : bestClass;
        best = Math.max(best, probability);
      }
      assertThat(prediction.value().get("class").asText())
          .isEqualTo(List.of("red", "green", "blue").get(bestClass));
    }
  }

  @Test
  void goesOnToBetterModelsWhileItTrains() throws Exception {
    String topic = Broker.topic(2);
    String output = Broker.topic(1);
    Job job =
        scoring(topic, output)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("snapshot.interval", "100 ms");
    JobClient client = job.start();
    AtomicInteger sent = new AtomicInteger();
    try (Predictions predictions = new Predictions(Broker.cluster(), output, 1)) {
      job.await(
          () -> {
            int number = sent.getAndIncrement();
            Broker.produce(topic, number % 2, Blobs.encode(new Blobs(number).next(100)));
            return predictions.read().stream().map(TrainAndScoreIT::version).distinct().count()
                >= 3;
          });
      int all = sent.get() * 100;
      job.await(() -> predictions.read().size() == all);
      SnapshotDescription newest = LatestSnapshot.find(job.models()).orElseThrow().description();
      assertThat(predictions.read())
          .allSatisfy(
              prediction ->
                  assertThat(prediction.round()).isLessThanOrEqualTo(newest.version().round()));
    }
    job.stop(client, false);
  }

  @Test
  void failuresOfScoringLeaveTrainingAlone() throws Exception {
    String topic = Broker.topic(2);
    String output = Broker.topic(1);
    int perPartition = 2_000;
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(perPartition)));
    }
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, 3, 20, EnumSet.of(Place.PREDICTION));
    Job job =
        scoring(topic, output)
            .set("output.guarantee", "exactly-once")
            .set("scoring.batch-size", "8")
            .set("snapshot.interval", "100 ms")
            .faults(faults);

    job.run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(3);
    assertThat(read(output).size()).as("seed %d", seed).isEqualTo(2 * perPartition);
    assertThat(job.taken()).isEqualTo(2L * perPartition);
    assertThat(job.metrics("progress"))
        .as("restores of training")
        .allMatch(report -> report.get("generation").asLong() == 0);
  }

  private Job scoring(String topic, String output) {
    return new Job(topic, directory)
        .set("scoring.topics", topic)
        .set("scoring.output-topic", output);
  }

  private static String version(One prediction) {
    return prediction.value().get("version").asText();
  }

  private static List<One> read(String output) throws Exception {
    try (Predictions predictions = new Predictions(Broker.cluster(), output, 1)) {
      return predictions.readRest();
    }
  }
}
