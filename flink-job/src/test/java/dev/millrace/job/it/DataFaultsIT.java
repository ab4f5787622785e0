package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.job.testing.Attempts;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.PlainNetwork;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data that changes, comes twice, or lies. */
@Tag("nightly")
class DataFaultsIT {

  private static final int COUNT = 2_000;

  @TempDir Path directory;

  @Test
  void theMedianBearsWithAPartitionOfFlippedLabels() throws Exception {
    String topic = Broker.topic(3);
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(COUNT)));
    }
    List<Example> flipped = new Blobs(2).next(COUNT);
    flipped.forEach(example -> example.setClass((classOf(example.labels()) + 1) % 3));
    Broker.produce(topic, 2, Blobs.encode(flipped));

    Job median = aggregated(topic, "median");
    Job mean = aggregated(topic, "mean");

    assertThat(accuracy(median.plain())).isGreaterThan(0.8);
    assertThat(certainty(median.plain())).isGreaterThan(certainty(mean.plain()) + 0.1);
  }

  private Job aggregated(String topic, String aggregator) throws Exception {
    Job job =
        new Job(topic, directory.resolve(aggregator))
            .parallelism(3)
            .set("input.standardize", "off")
            .set("exchange.aggregator", aggregator)
            .run();
    job.assertTookAll(topic, COUNT, COUNT, COUNT);
    return job;
  }

  @Test
  void recordsOfAnotherShapeAreRejectedUntilTheOldOnesComeBack() throws Exception {
    String topic = Broker.topic(1);
    String letters = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(COUNT), "json"));
    Broker.produce(topic, 0, withNineFeatures(COUNT));
    Broker.produce(topic, 0, Blobs.encode(new Blobs(2).next(COUNT), "json"));
    Attempts attempts = new Attempts();

    Job job =
        new Job(topic, directory)
            .set("input.format", "json")
            .set("dead-letter.topic", letters)
            .faults(attempts)
            .run();

    assertThat(attempts.count()).isEqualTo(1);
    job.assertTookAll(topic, 3 * COUNT);
    PartitionProgress.Offsets rejected = job.description().ledger().get(0).rejected();
    assertThat(rejected.count()).isEqualTo(COUNT);
    assertThat(rejected.first()).isEqualTo(COUNT);
    assertThat(Broker.read(letters))
        .hasSize(COUNT)
        .allSatisfy(letter -> assertThat(reason(letter)).isEqualTo("8 features expected, 9 found"));
  }

  /**
   * A record is where it is, not what it says: producers' retries without idempotence come twice.
   */
  @Test
  void duplicatesAreRecordsLikeOthers() throws Exception {
    String topic = Broker.topic(1);
    List<byte[]> values = Blobs.encode(new Blobs(1).next(COUNT));
    Broker.produce(topic, 0, values);
    Broker.produce(topic, 0, values);

    Job job = new Job(topic, directory).run();

    job.assertTookAll(topic, 2 * COUNT);
    assertThat(job.description().learned()).isEqualTo(2 * COUNT);
  }

  private static List<byte[]> withNineFeatures(int count) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add("{\"features\":[1,2,3,4,5,6,7,8,9],\"label\":1}".getBytes(StandardCharsets.UTF_8));
    }
    return values;
  }

  /** The mean probability of the right class. */
  private static double certainty(PlainNetwork network) {
    return new Blobs(99)
        .next(1_000).stream()
            .mapToDouble(example -> output(network, example)[classOf(example.labels())])
            .average()
            .orElseThrow();
  }

  private static double accuracy(PlainNetwork network) {
    List<Example> examples = new Blobs(99).next(1_000);
    int right = 0;
    for (Example example : examples) {
      right += classOf(output(network, example)) == classOf(example.labels()) ? 1 : 0;
    }
    return (double) right / examples.size();
  }

  private static float[] output(PlainNetwork network, Example example) {
    return network.predict(List.of(example));
  }

  private static int classOf(float[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      best = values[i] > values[best] ? i : best;
    }
    return best;
  }

  private static String reason(ConsumerRecord<byte[], byte[]> letter) {
    return new String(
        letter.headers().lastHeader("millrace.reason").value(), StandardCharsets.UTF_8);
  }
}
