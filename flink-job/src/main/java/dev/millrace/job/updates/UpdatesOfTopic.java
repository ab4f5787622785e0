package dev.millrace.job.updates;

import dev.millrace.job.follow.ModelUpdates;
import dev.millrace.job.follow.UpdatePlace;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.snapshot.TrustedKeys;

/**
 * The topic that updates are published in.
 *
 * @param keys one of which has signed each update; none where nobody has to
 */
record UpdatesOfTopic(KafkaCluster cluster, String topic, TrustedKeys keys) implements UpdatePlace {

  @Override
  public ModelUpdates open() {
    return new TopicUpdates(this);
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
