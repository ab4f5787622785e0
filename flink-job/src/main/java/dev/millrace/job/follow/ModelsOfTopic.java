package dev.millrace.job.follow;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;

/** The topic that models are published in. */
public record ModelsOfTopic(KafkaCluster cluster, String topic) implements ModelPlace {

  @Override
  public SnapshotFeed open() throws IOException {
    return new MirroredFeed(new TopicModels(cluster, topic));
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
