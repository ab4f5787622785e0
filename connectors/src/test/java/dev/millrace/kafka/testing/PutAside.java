package dev.millrace.kafka.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.kafka.KafkaCluster;
import java.util.EnumMap;
import java.util.Map;

/** Why a join has put a record aside, as the reason in its dead letter tells. */
public enum PutAside {
  LATE,
  DUPLICATE,
  REJECTED;

  /** Counts the dead letters of a join up to now; waits until it has committed them. */
  public static Map<PutAside, Long> count(KafkaCluster kafka, String topic) {
    Map<PutAside, Long> counts = new EnumMap<>(PutAside.class);
    for (PutAside kind : values()) {
      counts.put(kind, 0L);
    }
    try (CommittedRecords records = new CommittedRecords(kafka, topic)) {
      records.readRest(
          record ->
              counts.merge(
                  of(new String(record.headers().lastHeader("millrace.reason").value(), UTF_8)),
                  1L,
                  Long::sum));
    }
    return counts;
  }

  private static PutAside of(String reason) {
    if (reason.endsWith("come before")) {
      return DUPLICATE;
    }
    return reason.startsWith("a label of ") || reason.startsWith("features of ") ? LATE : REJECTED;
  }
}
