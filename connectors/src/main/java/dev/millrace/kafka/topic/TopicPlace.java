package dev.millrace.kafka.topic;

import java.util.Map;

/**
 * Where somebody stands who copies a topic.
 *
 * @param topicId of the topic that was read
 * @param offsets of the next record of each partition that was read
 * @param asOf the time of which the copy has all, in milliseconds of this machine's clock
 */
public record TopicPlace(String topicId, Map<Integer, Long> offsets, long asOf) {

  /** Nothing was read. */
  public static final TopicPlace NONE = new TopicPlace("", Map.of(), 0);

  public TopicPlace {
    offsets = Map.copyOf(offsets);
  }
}
