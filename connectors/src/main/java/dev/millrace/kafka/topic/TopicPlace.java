package dev.millrace.kafka.topic;

import java.util.Map;

/**
 * Where somebody stands who copies a topic.
 *
 * @param topicId of the topic that was read
 * @param offsets of the next record of each partition that was read
 */
public record TopicPlace(String topicId, Map<Integer, Long> offsets) {

  public TopicPlace {
    offsets = Map.copyOf(offsets);
  }
}
