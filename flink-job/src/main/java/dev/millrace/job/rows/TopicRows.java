package dev.millrace.job.rows;

import dev.millrace.kafka.KafkaCluster;
import java.io.IOException;

/**
 * The topic that rows are published in.
 *
 * @param directory of the copy, kept from start to start; empty for a temporary one
 */
public record TopicRows(KafkaCluster cluster, String topic, String directory)
    implements CopiedPlace {

  @Override
  public String name() {
    return topic;
  }

  @Override
  public RowFeed follow(String stands) throws IOException {
    return TopicFeed.open(cluster, topic, stands);
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
