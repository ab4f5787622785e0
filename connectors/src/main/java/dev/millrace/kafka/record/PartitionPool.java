package dev.millrace.kafka.record;

import dev.millrace.model.Partition;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * One {@link Partition} for each partition, so that none is made per record.
 *
 * <p>Not thread-safe.
 */
public final class PartitionPool {

  private static final Partition[] NONE = {};

  private final Map<String, Partition[]> byTopic = new HashMap<>();
  private final Map<String, String> ids;

  /** Makes partitions of topics whose ids aren't known, but where they are said. */
  public PartitionPool() {
    this(Map.of());
  }

  /**
   * @param ids of topics by their names; that of a topic is there before its first record, and
   *     stays
   */
  public PartitionPool(Map<String, String> ids) {
    this.ids = ids;
  }

  public Partition get(String topic, int number) {
    return get(topic, ids.getOrDefault(topic, Partition.NO_ID), number);
  }

  public Partition get(String topic, String id, int number) {
    Partition[] known = byTopic.getOrDefault(topic, NONE);
    if (number >= known.length) {
      known = Arrays.copyOf(known, number + 1);
      byTopic.put(topic, known);
    }
    if (known[number] == null || !known[number].topicId().equals(id)) {
      known[number] = new Partition(topic, id, number);
    }
    return known[number];
  }
}
