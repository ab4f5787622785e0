package dev.millrace.job.rows;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.kafka.KafkaCluster;
import java.io.IOException;

/**
 * The topic that rows are published in. All who open it in a process share one copy.
 *
 * @param directory of the copy, kept from start to start; empty for a temporary one
 */
public record TopicRows(KafkaCluster cluster, String topic, String directory) implements RowPlace {

  @Override
  public ServedRows open() throws IOException {
    return SharedCopies.open(this);
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
