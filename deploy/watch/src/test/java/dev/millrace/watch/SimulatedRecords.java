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
  private static final int LAYERS = 20;
  private static final int PARTITIONS = 500;

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
        records.accept(
            record("snapshot", time, generation, round)
                .put("model", "models/" + HOSTILE + ".zip")
                .put("state", "fresh")
                .put("served", round % (5 * MODEL_EVERY) != 0));
      }
    }
  }

  /** What is measured of 20 layers, and the ledger of 500 partitions, as one round has them. */
  static List<ObjectNode> tables(long time, int round) {
    ObjectNode layers = record("plasticity", time, 0, round);
    ArrayNode all = layers.putArray("layers");
    for (int layer = 0; layer < LAYERS; layer++) {
      all.addObject()
          .put("layer", "layer" + layer)
          .put("units", 500)
          .put("deadShare", 0.01 * layer);
    }
    ObjectNode ledger = record("ledger", time, 0, round);
    ArrayNode partitions = ledger.putArray("partitions");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      partitions.addObject().put("topic", "t").put("partition", partition).put("learned", round);
    }
    return List.of(layers, ledger);
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
