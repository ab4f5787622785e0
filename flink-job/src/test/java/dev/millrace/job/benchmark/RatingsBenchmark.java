package dev.millrace.job.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How good predictions of a table of clicks are, in one pass in the order of time: each record is
 * predicted before it is learned. {@code -Drows.data=…} is a CSV file with a header, {@code
 * -Drows.ids=…} its columns of ids, {@code -Drows.lists=…} those of lists with {@code |}, {@code
 * -Drows.label=…} the label.
 */
class RatingsBenchmark {

  @TempDir Path directory;

  private static String property(String name, String standard) {
    return System.getProperty("rows." + name, standard);
  }

  @Test
  void areaUnderTheCurve() throws Exception {
    int replicas = Integer.parseInt(property("replicas", "1"));
    List<String> lines = Files.readAllLines(Path.of(property("data", "ratings.csv")));
    List<String> columns = List.of(lines.get(0).split(",", -1));
    String topic = Broker.topic(replicas);
    int key = columns.indexOf(property("key", "user"));
    for (int partition = 0; partition < replicas; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        if (Math.floorMod(line.split(",", -1)[key].hashCode(), replicas) == partition) {
          records.add(line.getBytes(UTF_8));
        }
      }
      Broker.produce(topic, partition, records);
    }

    Job job = new Job(topic, directory).engine(TestEngine.TORCH).parallelism(replicas);
    job.unset("input.features")
        .unset("exchange.block-size")
        .unset("exchange.learning-rate-scaling")
        .set("input.format", "csv")
        .set("input.csv.columns", String.join(";", columns))
        .set("input.fields", fields())
        .set("input.outputs", "2")
        .set("model.name", property("model", "deepfm"))
        .set("model.hidden", "64;32")
        .set("batch.size", property("batch", "32"))
        .set("batch.local-size", property("local", property("batch", "32")))
        .set("rows.prefetch", property("prefetch", "0"))
        .set("execution.checkpointing.interval", "10 s")
        .set("snapshot.interval", "1 h")
        .set("metrics.interval", "1 s");
    String more = property("more", "");
    Stream.of(more.split(";", -1))
        .filter(option -> !option.isEmpty())
        .forEach(option -> job.set(option.split("=", -1)[0], option.split("=", -1)[1]));
    job.run();

    List<JsonNode> progress = job.metrics("progress");
    JsonNode last = progress.get(progress.size() - 1);
    List<JsonNode> tables = job.metrics("rows");
    long rows = 0;
    for (JsonNode table : tables.get(tables.size() - 1).path("tables")) {
      rows += table.path("rows").asLong();
    }
    System.out.printf(
        "%s replicas, batch %s, prefetch %s, %s: AUC %.4f, loss %.4f, %s examples, %s rows%n",
        replicas,
        property("batch", "32"),
        property("prefetch", "0"),
        more,
        last.path("auc").asDouble(),
        last.path("loss").asDouble(),
        last.path("examples").asLong(),
        rows);
    assertThat(last.path("examples").asLong()).isEqualTo(lines.size() - 1);
  }

  private static String fields() {
    List<String> fields = new ArrayList<>();
    for (String id : property("ids", "user").split(",", -1)) {
      fields.add("{\"path\":\"%s\",\"kind\":\"id\"}".formatted(id));
    }
    for (String list : property("lists", "").split(",", -1)) {
      if (!list.isEmpty()) {
        fields.add("{\"path\":\"%s\",\"kind\":\"ids\",\"separator\":\"|\"}".formatted(list));
      }
    }
    fields.add("{\"path\":\"%s\",\"role\":\"label\"}".formatted(property("label", "label")));
    return "[" + String.join(",", fields) + "]";
  }
}
