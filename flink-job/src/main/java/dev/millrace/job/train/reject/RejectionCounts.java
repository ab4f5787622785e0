package dev.millrace.job.train.reject;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many records weren't learned for which reason. Reasons that differ in numbers and quoted
 * values alone are one.
 *
 * <p>Not thread-safe.
 */
final class RejectionCounts {

  /** Kinds that are kept apart; further ones are counted together. */
  private static final int MOST_KINDS = 100;

  private static final int MOST_TOLD = 20;
  private static final String OTHERS = "others";

  /** A number; or what is quoted, which with a colon behind it is a field's name. */
  private static final Pattern VALUES =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"(: )?|(?<![\\w\"])[-+]?\\d[\\d.,Ee+-]*");

  private final Map<String, Kind> kinds = new HashMap<>();

  private static final class Kind {

    private final String name;
    private final Rejection first;
    private long count;

    Kind(String name, Rejection first) {
      this.name = name;
      this.first = first;
    }

    long count() {
      return count;
    }
  }

  void add(Rejection rejection) {
    String name =
        VALUES
            .matcher(rejection.reason())
            .replaceAll(
                value -> value.group(1) == null ? "…" : Matcher.quoteReplacement(value.group()));
    if (kinds.size() >= MOST_KINDS && !kinds.containsKey(name)) {
      name = OTHERS;
    }
    kinds.computeIfAbsent(name, kind -> new Kind(kind, rejection)).count++;
  }

  /** The most frequent ones, with the first record of each. */
  String record(long time) {
    ObjectNode record =
        JsonNodeFactory.instance.objectNode().put("type", "rejections").put("time", time);
    ArrayNode reasons = record.putArray("reasons");
    kinds.values().stream()
        .sorted(Comparator.comparingLong(Kind::count).reversed())
        .limit(MOST_TOLD)
        .forEach(
            kind ->
                reasons
                    .addObject()
                    .put("reason", kind.name)
                    .put("count", kind.count)
                    .put("example", kind.first.reason())
                    .put("topic", kind.first.topic())
                    .put("partition", kind.first.partition())
                    .put("offset", kind.first.offset()));
    return record.toString();
  }
}
