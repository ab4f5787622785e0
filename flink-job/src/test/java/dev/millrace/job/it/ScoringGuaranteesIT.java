package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Scoring;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.testing.Predictions.One;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What failures do to predictions, while models are swapped all the time. */
@Tag("slow")
class ScoringGuaranteesIT {

  private static final int PER_PARTITION = 1_200;
  private static final int FAULTS = 3;

  private static String topic;

  @TempDir Path directory;

  private final AtomicLong published = new AtomicLong();

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(2);
    List<byte[]> values =
        IntStream.range(0, PER_PARTITION)
            .mapToObj(i -> "{\"features\":[%s]}".formatted(i).getBytes(UTF_8))
            .toList();
    Broker.produce(topic, 0, values);
    Broker.produce(topic, 1, values);
  }

  @Test
  void exactlyOnceGivesEachExampleOnePrediction() throws Exception {
    List<One> predictions = disturbed("exactly-once");

    assertThat(predictions.size()).isEqualTo(2 * PER_PARTITION);
    assertThat(offsets(predictions)).allSatisfy((partition, all) -> assertComplete(all));
  }

  @Test
  void atLeastOnceLeavesNoExampleOut() throws Exception {
    List<One> predictions = disturbed("at-least-once");

    assertThat(predictions.size()).isGreaterThanOrEqualTo(2 * PER_PARTITION);
    assertThat(offsets(predictions)).allSatisfy((partition, all) -> assertComplete(all));
  }

  /** Of a run to the end, with failures, each prediction being of exactly one version. */
  private List<One> disturbed(String guarantee) throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, 40, EnumSet.of(Place.PREDICTION));
    Scoring scoring =
        new Scoring(topic, directory).set("output.guarantee", guarantee).faults(faults);
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> publishing =
        CompletableFuture.runAsync(() -> publishUntil(ended, scoring.models()));
    scoring.run();
    ended.set(true);
    publishing.join();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    try (Predictions topicOfPredictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      List<One> predictions = topicOfPredictions.readRest();
      for (One prediction : predictions) {
        assertThat(prediction.number("values", 0))
            .as("seed %d", seed)
            .isEqualTo((float) prediction.offset());
        assertThat(prediction.number("values", 1))
            .as("seed %d", seed)
            .isEqualTo((float) prediction.round())
            .isLessThanOrEqualTo((float) published.get());
      }
      return predictions;
    }
  }

  private void publishUntil(AtomicBoolean ended, Path models) {
    try {
      while (!ended.get()) {
        TellingModels.publish(models, published.incrementAndGet());
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<Partition, List<Long>> offsets(List<One> predictions) {
    return predictions.stream()
        .collect(
            Collectors.groupingBy(
                One::partition, Collectors.mapping(One::offset, Collectors.toList())));
  }

  private static void assertComplete(List<Long> offsets) {
    assertThat(offsets.stream().distinct().sorted())
        .containsExactlyElementsOf(LongStream.range(0, PER_PARTITION).boxed().toList());
  }
}
