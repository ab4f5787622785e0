package dev.millrace.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What is kept of a record when another of its kind has come: not the tables that the page shows of
 * the newest alone.
 */
final class Thinning {

  private static final String LAYERS = "layers";

  private Thinning() {}

  /** Returns what is done to records of a type when they age. */
  static UnaryOperator<ObjectNode> of(String type) {
    return switch (type) {
      case "checkpoint" -> record -> without(record, List.of("ledger"));
      case "confusion" -> record -> without(record, List.of("counts", "calibration"));
      case "run" -> record -> without(record, List.of("defaults"));
      case "rows" -> Thinning::withoutHottest;
      case LAYERS -> Thinning::withoutDistributions;
      default -> record -> record;
    };
  }

  /** A copy: whoever listens may have the record. */
  private static ObjectNode without(ObjectNode record, List<String> fields) {
    ObjectNode copy = record.deepCopy();
    copy.remove(fields);
    return copy;
  }

  private static ObjectNode withoutHottest(ObjectNode record) {
    ObjectNode copy = record.deepCopy();
    for (JsonNode table : copy.path("tables")) {
      if (table instanceof ObjectNode one) {
        one.remove("hottest");
      }
    }
    return copy;
  }

  private static ObjectNode withoutDistributions(ObjectNode record) {
    ObjectNode copy = record.deepCopy();
    for (JsonNode layer : copy.path(LAYERS)) {
      if (layer instanceof ObjectNode one) {
        one.remove(List.of("activations", "tensors"));
      }
    }
    return copy;
  }
}
