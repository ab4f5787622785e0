package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What publishing costs training: examples a second of a job that publishes nothing, one model a
 * second, and one each round. They take turns; ratios are of medians.
 */
class PublishingBenchmark {

  private static final int TURNS = Integer.getInteger("millrace.publishing.turns", 5);

  @TempDir Path directory;

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  @Test
  void publishingCostsLittle() throws Exception {
    List<byte[]> records = new Images(400).records();
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, records.subList(0, records.size() / 2));
    Broker.produce(topic, 1, records.subList(records.size() / 2, records.size()));

    for (int turn = 0; turn < TURNS; turn++) {
      note("nothing", Lenet.job(topic, place("nothing", turn)).unset("snapshot.directory"));
      note(
          "a model a second",
          Lenet.job(topic, place("second", turn)).set("snapshot.interval", "1 s"));
      note("each round", Lenet.job(topic, place("round", turn)).set("snapshot.rounds", "1"));
    }

    double nothing = median("nothing");
    rates.forEach(
        (what, turns) ->
            System.out.printf(
                "publishing %s: %.0f examples/s, %.3f of nothing%n",
                what, median(what), median(what) / nothing));
    assertThat(median("a model a second") / nothing).isGreaterThan(0.97);
  }

  private Path place(String name, int turn) {
    return directory.resolve(name + turn);
  }

  private void note(String what, Job job) throws Exception {
    List<JsonNode> reports = job.run().metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    long examples = last.get("examples").asLong() - first.get("examples").asLong();
    rates
        .computeIfAbsent(what, any -> new ArrayList<>())
        .add(examples * 1e3 / (last.get("time").asLong() - first.get("time").asLong()));
  }

  private double median(String what) {
    List<Double> sorted = rates.get(what).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
