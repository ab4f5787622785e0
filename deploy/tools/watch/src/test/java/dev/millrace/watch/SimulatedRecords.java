package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Metric records as a job of 8 replicas writes them, with a restart, a drift and models. */
final class SimulatedRecords {

  static final String HOSTILE =
      "</script><script>window.hacked = true</script><img src=x onerror=hack()>";

  private static final int REPLICAS = 8;
  private static final int MODEL_EVERY = 60;
  private static final int CHECKPOINT_EVERY = 20;
  private static final int BINS = 20;
  private static final int PARTITIONS = 500;
  private static final int CLASSES = 50;

  static final int LAYERS = 20;

  private SimulatedRecords() {}

  /**
   * Records of so many rounds.
   *
   * @param seconds between two of them
   */
  static List<ObjectNode> of(int rounds, int seconds, long begin, Random random) {
    List<ObjectNode> records = new ArrayList<>();
    each(rounds, seconds, begin, random, records::add);
    return records;
  }

  /** The same without keeping them. */
  static void each(
      int rounds, int seconds, long begin, Random random, Consumer<ObjectNode> records) {
    double accuracy = 0.1;
    for (int round = 1; round <= rounds; round++) {
      int generation = round < rounds / 2 ? 0 : 1;
      long time = begin + 1000L * seconds * round + (generation == 1 ? 7000 : 0);
      if (round == 1 || round == rounds / 2) {
        records.accept(run(time, generation, round, round > 1, round > 1 ? 1 : 0));
      }
      accuracy += (0.95 - accuracy) * 0.01 + (random.nextDouble() - 0.5) * 0.01;
      if (round == rounds / 3) {
        accuracy = 0.4;
        records.accept(
            record("drift", time, generation, round)
                .put("examples", 800L * round)
                .put("detector", HOSTILE)
                .put("before", 0.1)
                .put("after", 0.6)
                .put("reacted", true));
      }
      records.accept(
          record("progress", time, generation, round)
              // What came after the last checkpoint is learned again.
              .put("examples", 800L * (generation == 0 ? round : round - 20))
              .put("rejected", round / 100)
              .put("members", REPLICAS)
              .put("duration", 900 + random.nextInt(200))
              .put("bytes", 3_200_000)
              .put("staleness", random.nextInt(2))
              .put("lag", 1_500 + random.nextInt(500))
              .put("pending", random.nextInt(5_000))
              .put("window_accuracy", accuracy)
              .put("window_loss", 1 - accuracy));
      records.accept(timeline(record("timeline", time, generation, round), random));
      if (round == rounds) {
        ObjectNode rejections = record("rejections", time, generation, round);
        rejections
            .putArray("reasons")
            .addObject()
            .put("reason", "label … is out of range")
            .put("count", 37)
            .put("example", HOSTILE)
            .put("topic", "orders")
            .put("partition", 3)
            .put("offset", 9);
        records.accept(rejections);
      }
      if (round % MODEL_EVERY == 0) {
        ObjectNode snapshot = record("snapshot", time, generation, round);
        snapshot
            .putObject("parent")
            .put("source", HOSTILE)
            .putObject("version")
            .put("generation", 3)
            .put("round", 5);
        records.accept(
            snapshot
                .put("model", "models/" + HOSTILE + ".zip")
                .put("state", "fresh")
                .put("served", round % (5 * MODEL_EVERY) != 0)
                .put("learned", 800L * round)
                .set("gate", gate(round % (5 * MODEL_EVERY) != 0)));
      }
      if (round % CHECKPOINT_EVERY == 0 && round < rounds) {
        records.accept(checkpoint(time, generation, round, 4));
        records.accept(layers(time, generation, round, HOSTILE));
        records.accept(confusion(time, generation, round, 3));
        records.accept(rows(time, round, HOSTILE));
        for (int replica = 0; replica < REPLICAS; replica++) {
          records.accept(replica(time, round, replica));
        }
      }
    }
  }

  /** Tables of 20 layers, 500 partitions and 50 classes, as one round has them. */
  static List<ObjectNode> tables(long time, int round) {
    ObjectNode segments = record("segments", time, 0, round);
    ArrayNode each = segments.putArray("segments");
    for (int segment = 0; segment < CLASSES; segment++) {
      each.addObject().put("segment", "s" + segment).put("accuracy", 0.5);
    }
    return List.of(
        layers(time, 0, round, "dense"),
        rows(time, round, "users"),
        checkpoint(time, 0, round, PARTITIONS),
        confusion(time, 0, round, CLASSES),
        segments);
  }

  /** A job that begins, or goes on. */
  static ObjectNode run(long time, long generation, long round, boolean restored, int attempt) {
    ObjectNode record =
        record("run", time, generation, round)
            .put("millrace", "1.0")
            .put("engine", "dl4j")
            .put("parameters", 1_000)
            .put("replicas", REPLICAS)
            .put("restored", restored)
            .put("attempt", attempt);
    record
        .putObject("options")
        .put("batch.size", "32")
        .put("input.topics", HOSTILE)
        .put("input.classes", HOSTILE + ";b;c");
    record.putObject("defaults").put("drift.confidence", "0").put("kafka.group", "");
    return record;
  }

  private static ObjectNode rows(long time, long round, String name) {
    ObjectNode record = record("rows", time, 0, round);
    record.remove(List.of("generation"));
    ObjectNode table =
        record
            .putArray("tables")
            .addObject()
            .put("table", name)
            .put("rows", 1_000 + round)
            .put("created", 2_000 + round)
            .put("expired", 1_000)
            .put("waiting", 7)
            .put("refused", 0)
            .put("uses", 100 * round)
            .put("hits", 90)
            .put("misses", 10)
            .put("dirty", 5)
            .put("norm", 0.5);
    table.putArray("hottest").addObject().put("id", "-1532057335401747185").put("uses", 12_345);
    return record;
  }

  private static ObjectNode layers(long time, long generation, long round, String name) {
    ObjectNode record = record("layers", time, generation, round);
    ArrayNode all = record.putArray("layers");
    for (int layer = 0; layer < LAYERS; layer++) {
      ObjectNode one =
          all.addObject()
              .put("layer", name + layer)
              .put("units", 500)
              .put("deadShare", 0.01 * layer)
              .put("effectiveRank", 20)
              .put("weightNorm", 3)
              .put("updateRatio", 0.001 * (layer + 1));
      distribution(one.putObject("activations"), round);
      ObjectNode tensor = one.putArray("tensors").addObject().put("tensor", name);
      distribution(tensor.putObject("weights"), round);
      distribution(tensor.putObject("updates"), round);
    }
    return record;
  }

  private static void distribution(ObjectNode told, long round) {
    told.put("count", 1_000).put("mean", 0.1).put("deviation", 1).put("magnitude", 0.5);
    ArrayNode bins = told.put("low", -1.5).put("high", 2).putArray("bins");
    for (int bin = 0; bin < BINS; bin++) {
      bins.add(round + bin);
    }
  }

  private static ObjectNode checkpoint(long time, long generation, long round, int partitions) {
    ObjectNode record =
        record("checkpoint", time, generation, round)
            .put("checkpoint", round)
            .put("duration", 30)
            .put("learned", 800L * round)
            .put("rejected", 3);
    ArrayNode ledger = record.putArray("ledger");
    for (int partition = 0; partition < partitions; partition++) {
      ledger
          .addObject()
          .put("topic", HOSTILE)
          .put("partition", partition)
          .put("learned", 800L * round / partitions)
          .put("rejected", 0)
          .put("last", 800L * round / partitions);
    }
    return record;
  }

  private static ObjectNode confusion(long time, long generation, long round, int classes) {
    ObjectNode record = record("confusion", time, generation, round);
    ArrayNode rows = record.putArray("counts");
    for (int actual = 0; actual < classes; actual++) {
      ArrayNode row = rows.addArray();
      for (int predicted = 0; predicted < classes; predicted++) {
        row.add(actual == predicted ? 18 : round % 3);
      }
    }
    record.put("majority", 0.4).put("lastLabel", 0.3).put("calibrationError", 0.05);
    ArrayNode recalls = record.putArray("recalls");
    for (int actual = 0; actual < classes; actual++) {
      recalls.add(0.9 - 0.001 * actual);
    }
    record
        .putArray("calibration")
        .addObject()
        .put("examples", 9)
        .put("stated", 0.9)
        .put("right", 1);
    return record;
  }

  static ObjectNode replica(long time, long round, int replica) {
    // A replica knows no generation.
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "replica")
        .put("time", time)
        .put("round", round)
        .put("replica", replica)
        .put("examples", 100 * round)
        .put("process", (replica / 4) + "@" + HOSTILE)
        .put("cpu", 0.5)
        .put("heap", 1_000_000 * (round % 7 + 1))
        .put("mostHeap", 9_000_000);
  }

  private static ObjectNode gate(boolean passed) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("metric", "accuracy")
        .put("margin", 0.0)
        .put("candidate", passed ? 0.9 : 0.7)
        .put("serving", 0.8)
        .put("passed", passed);
  }

  private static ObjectNode timeline(ObjectNode record, Random random) {
    ArrayNode members = record.putArray("members");
    for (int replica = 0; replica < REPLICAS; replica++) {
      members
          .addObject()
          .put("replica", replica)
          .put("steps", 4)
          .put("fit", 50 + random.nextInt(10))
          .put("encode", 3)
          .put("wait", random.nextInt(20))
          .put("exchange", 8)
          .put("apply", 2)
          .put("elapsed", 95);
    }
    return record;
  }

  static ObjectNode record(String type, long time, long generation, long round) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("time", time)
        .put("generation", generation)
        .put("round", round);
  }
}
