package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What publishing costs training: examples a second of a job that publishes nothing, one model a
 * second, and one each round. They take turns; ratios are of medians.
 */
class PublishingBenchmark {

  private static final int TURNS = Integer.getInteger("millrace.publishing.turns", 5);

  @TempDir Path directory;

  private final Rates rates = new Rates();

  @Test
  void publishingCostsLittle() throws Exception {
    List<byte[]> records = new Images(400).records();
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, records.subList(0, records.size() / 2));
    Broker.produce(topic, 1, records.subList(records.size() / 2, records.size()));

    for (int turn = 0; turn < TURNS; turn++) {
      rates.note(
          "nothing", Lenet.job(topic, place("nothing", turn)).unset("snapshot.directory").run());
      rates.note(
          "a model a second",
          Lenet.job(topic, place("second", turn)).set("snapshot.interval", "1 s").run());
      rates.note(
          "each round", Lenet.job(topic, place("round", turn)).set("snapshot.rounds", "1").run());
    }

    rates.print();
    assertThat(rates.ratio("a model a second", "nothing")).isGreaterThan(0.97);
  }

  private Path place(String name, int turn) {
    return directory.resolve(name + turn);
  }
}
