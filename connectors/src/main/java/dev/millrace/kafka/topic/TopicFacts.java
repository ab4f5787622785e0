package dev.millrace.kafka.topic;

import dev.millrace.model.Partition;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;

/**
 * What brokers say of a topic.
 *
 * @param id {@link Partition#NO_ID} where they are too old to have any
 */
public record TopicFacts(String id, int partitions) {

  public static TopicFacts of(TopicDescription description) {
    return new TopicFacts(id(description.topicId()), description.partitions().size());
  }

  private static String id(Uuid id) {
    return id == null || id.equals(Uuid.ZERO_UUID) ? Partition.NO_ID : id.toString();
  }
}
