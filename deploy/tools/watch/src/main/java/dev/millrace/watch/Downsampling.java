package dev.millrace.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** What becomes of two neighbouring records of a kind where there are too many. */
final class Downsampling {

  private static final String ROUNDS = "rounds";
  private static final String MEMBERS = "members";
  private static final String REPLICA = "replica";

  /** What a replica's time went to, in milliseconds; and how often. */
  private static final List<String> SUMS =
      List.of("steps", "fit", "encode", "wait", "exchange", "apply", "elapsed");

  private Downsampling() {}

  /** Returns how two records of a type become one. */
  static BinaryOperator<ObjectNode> of(String type) {
    return switch (type) {
      case "timeline" -> Downsampling::timelines;
      // A refusal of the gate counts more than a model that passed.
      case "snapshot" -> (one, next) -> one.path("served").asBoolean(true) ? next : one;
      default -> (one, next) -> next;
    };
  }

  /**
   * Merges two timelines: the times of so many rounds together, and the members that were in either
   * of them.
   */
  private static ObjectNode timelines(ObjectNode one, ObjectNode next) {
    ObjectNode both = next.deepCopy();
    both.put(ROUNDS, one.path(ROUNDS).asLong(1) + next.path(ROUNDS).asLong(1));
    Map<Long, ObjectNode> members = new TreeMap<>();
    for (JsonNode member : next.path(MEMBERS)) {
      members.put(member.path(REPLICA).asLong(), member.deepCopy());
    }
    for (JsonNode member : one.path(MEMBERS)) {
      members.merge(member.path(REPLICA).asLong(), member.deepCopy(), Downsampling::sum);
    }
    ArrayNode all = both.putArray(MEMBERS);
    members.values().forEach(all::add);
    return both;
  }

  private static ObjectNode sum(ObjectNode member, ObjectNode earlier) {
    for (String name : SUMS) {
      member.put(name, member.path(name).asDouble() + earlier.path(name).asDouble());
    }
    return member;
  }
}
