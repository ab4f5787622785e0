package dev.millrace.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the description of a published model tells beside metric records, as records of two more
 * kinds: {@code ledger}, and {@code options} of the job. Where models aren't on this machine's file
 * systems there is none.
 */
final class Descriptions {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ARCHIVE = ".zip";

  private Descriptions() {}

  /** Of the newest model that is among the records. */
  static List<ObjectNode> of(List<ObjectNode> records) {
    for (int i = records.size() - 1; i >= 0; i--) {
      ObjectNode record = records.get(i);
      String model = record.path("model").asText();
      if (record.path("type").asText().equals("snapshot") && model.endsWith(ARCHIVE)) {
        return read(record, model.substring(0, model.length() - ARCHIVE.length()) + ".json");
      }
    }
    return List.of();
  }

  private static List<ObjectNode> read(ObjectNode record, String place) {
    try {
      Path file = Path.of(place);
      if (!Files.isRegularFile(file)) {
        return List.of();
      }
      JsonNode description = JSON.readTree(file.toFile());
      return List.of(ledger(record, description), options(record, description));
    } catch (IOException | InvalidPathException e) {
      // It may have been deleted, as old models are.
      return List.of();
    }
  }

  private static ObjectNode beside(ObjectNode record, String type) {
    return JSON.createObjectNode()
        .put("type", type)
        .put("time", record.path("time").asLong())
        .put("generation", record.path("generation").asLong())
        .put("round", record.path("round").asLong());
  }

  private static ObjectNode ledger(ObjectNode record, JsonNode description) {
    ObjectNode ledger = beside(record, "ledger");
    ArrayNode partitions = ledger.putArray("partitions");
    for (JsonNode partition : description.path("ledger")) {
      partitions
          .addObject()
          .put("topic", partition.path("topic").asText())
          .put("partition", partition.path("partition").asLong())
          .put("learned", partition.path("learned").path("count").asLong())
          .put("rejected", partition.path("rejected").path("count").asLong())
          .put(
              "last",
              Math.max(
                  partition.path("learned").path("last").asLong(),
                  partition.path("rejected").path("last").asLong()));
    }
    return ledger;
  }

  private static ObjectNode options(ObjectNode record, JsonNode description) {
    ObjectNode options = beside(record, "options");
    options.set("options", description.path("configuration").deepCopy());
    return options;
  }
}
