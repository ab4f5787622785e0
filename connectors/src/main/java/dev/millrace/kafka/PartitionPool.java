package dev.millrace.kafka;

import dev.millrace.model.Partition;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * One {@link Partition} for each partition, so that none is made per record.
 *
 * <p>Not thread-safe.
 */
final class PartitionPool {

  private static final Partition[] NONE = {};

  private final Map<String, Partition[]> byTopic = new HashMap<>();

  Partition get(String topic, int number) {
    Partition[] known = byTopic.getOrDefault(topic, NONE);
    if (number >= known.length) {
      known = Arrays.copyOf(known, number + 1);
      byTopic.put(topic, known);
    }
    if (known[number] == null) {
      known[number] = new Partition(topic, number);
    }
    return known[number];
  }
}
