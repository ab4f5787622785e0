package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.Scoring;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.testing.Predictions.One;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Partition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that only scores. */
class ScoringIT {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path directory;

  /** A compacted topic would refuse a record without a key, at every restart again. */
  @Test
  void eachExampleIsPredictedForUnderAKey() throws Exception {
    String topic = Broker.topic(1);
    List<String> values =
        List.of(
            "{\"features\":[3.5],\"id\":\"order-1\"}",
            "no example",
            "{\"features\":[-1],\"labels\":[\"as good as none\"]}",
            "{\"features\":[1,2]}",
            "{\"features\":[7],\"label\":null}");
    long before = System.currentTimeMillis();
    Broker.produce(
        topic,
        0,
        values.stream().map(value -> value.getBytes(UTF_8)).toList(),
        i -> i == 4 ? null : ("key-" + i).getBytes(UTF_8));
    String letters = Broker.topic(1);
    Scoring scoring = new Scoring(topic, directory).set("dead-letter.topic", letters);
    Broker.compact(scoring.output());
    TellingModels.publish(scoring.models(), 17);

    scoring.run();

    List<One> predictions = read(scoring);
    assertThat(predictions).hasSize(3);
    One first = at(predictions, 0);
    assertThat(new String(first.key(), UTF_8)).isEqualTo("key-0");
    assertThat(first.value().get("latency_ms").asLong())
        .isBetween(0L, System.currentTimeMillis() - before);
    assertThat(first.value().toString())
        .startsWith(
            "{\"id\":\"order-1\",\"values\":[3.5,17.0],\"version\":\"1.17\",\"topic\":\"%s\",\"partition\":0,\"offset\":0,\"latency_ms\":"
                .formatted(topic));
    assertThat(new String(at(predictions, 2).key(), UTF_8)).isEqualTo("key-2");
    assertThat(at(predictions, 2).value().has("id")).isFalse();
    assertThat(new String(at(predictions, 4).key(), UTF_8)).isEqualTo(topic + "-0-4");
    assertThat(Broker.read(letters))
        .extracting(letter -> header(letter, "offset") + " " + header(letter, "reason"))
        .containsExactly(
            "1 not JSON at byte 0, near \"no example\"", "3 1 features expected, 2 found");
  }

  @Test
  void modelsAreSwappedWhileItRunsAndBadOnesRefused() throws Exception {
    String topic = Broker.topic(2);
    Scoring scoring = new Scoring(topic, directory).set("input.bounded", "false");
    JobClient client = scoring.start();
    long sent = 0;
    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      for (long round = 1; round <= 6; round++) {
        boolean bad = round == 3;
        String updater = round == 5 ? "adam" : "sgd";
        GlobalModel model = TellingModels.model(TellingModels.SHAPE, round, updater);
        if (bad) {
          model.vector()[0] = Float.NaN;
        }
        TellingModels.publish(scoring.models(), model);
        long expected = round;
        do {
          sent += produce(topic, 50);
          long all = sent;
          await().atMost(LIMIT).until(() -> predictions.read().size() == all);
        } while (!bad && newest(predictions.read()) < expected);
      }
      assertEachOnce(predictions.read(), topic, sent / 2);
      assertThat(predictions.read()).noneMatch(prediction -> prediction.round() == 3);
      assertNoVersionGoesBack(predictions.read());
    }
    client.cancel().get();
  }

  @Test
  void stopsRescalesAndGoesOnWithoutLosingOrRepeatingAnything() throws Exception {
    String topic = Broker.topic(2);
    long sent = produce(topic, 3000);
    Scoring scoring =
        new Scoring(topic, directory)
            .set("scoring.batch-size", "64")
            .set("scoring.max-wait", "20 ms")
            .set("input.bounded", "false");
    TellingModels.publish(scoring.models(), 1);
    JobClient client = scoring.start();
    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      // Of both: a scorer that isn't running yet can't be stopped.
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  predictions.read().stream().map(Predictions.One::partition).distinct().count()
                      == 2);

      String savepoint = scoring.stop(client);
      sent += produce(topic, 10);
      client = scoring.parallelism(1).from(savepoint).start();

      long all = sent;
      await().atMost(LIMIT).until(() -> predictions.read().size() >= all);
      client.cancel().get();
      assertEachOnce(predictions.read(), topic, sent / 2);
    }
  }

  @Test
  void followsWhatIsCommittedIfAskedTo() throws Exception {
    String topic = Broker.topic(2);
    long sent = produce(topic, 10);
    Scoring scoring = new Scoring(topic, directory).set("scoring.serve", "committed");
    TellingModels.publish(scoring.models(), 1);
    Files.copy(scoring.models().resolve("latest.json"), scoring.models().resolve("committed.json"));
    TellingModels.publish(scoring.models(), 2);

    scoring.run();

    assertThat(read(scoring)).hasSize((int) sent).allMatch(p -> p.round() == 1);
  }

  @Test
  void aMissingTopicIsNamed() {
    Scoring scoring = new Scoring("no-such-topic", directory);

    assertThatThrownBy(scoring::check)
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'no-such-topic'");
  }

  private static List<One> read(Scoring scoring) throws Exception {
    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      return predictions.read();
    }
  }

  /** Writes that many examples to each of two partitions, and returns how many that makes. */
  private long produce(String topic, int each) throws Exception {
    for (int partition = 0; partition < 2; partition++) {
      List<byte[]> values =
          IntStream.range(0, each)
              .mapToObj(i -> "{\"features\":[%s]}".formatted(i).getBytes(UTF_8))
              .toList();
      Broker.produce(topic, partition, values);
    }
    return 2L * each;
  }

  /** That each is of one version whole, and that the first {@code perPartition} are there once. */
  private static void assertEachOnce(List<One> predictions, String topic, long perPartition) {
    Map<Partition, List<Long>> offsets = new HashMap<>();
    for (One prediction : predictions) {
      offsets
          .computeIfAbsent(prediction.partition(), any -> new ArrayList<>())
          .add(prediction.offset());
      assertThat(prediction.number("values", 1)).isEqualTo((float) prediction.round());
    }
    for (int partition = 0; partition < 2; partition++) {
      assertThat(offsets.get(new Partition(topic, partition)))
          .doesNotHaveDuplicates()
          .hasSize((int) perPartition);
    }
  }

  private static void assertNoVersionGoesBack(List<One> predictions) {
    Map<Partition, Map<Long, Long>> rounds = new HashMap<>();
    predictions.forEach(
        prediction ->
            rounds
                .computeIfAbsent(prediction.partition(), any -> new TreeMap<>())
                .put(prediction.offset(), prediction.round()));
    rounds.forEach(
        (partition, ofOffset) ->
            assertThat(new ArrayList<>(ofOffset.values())).as("%s", partition).isSorted());
  }

  private static long newest(List<One> predictions) {
    return predictions.stream().mapToLong(One::round).max().orElse(0);
  }

  private static One at(List<One> predictions, long offset) {
    return predictions.stream()
        .filter(prediction -> prediction.offset() == offset)
        .findFirst()
        .orElseThrow();
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("millrace." + name).value(), UTF_8);
  }
}
