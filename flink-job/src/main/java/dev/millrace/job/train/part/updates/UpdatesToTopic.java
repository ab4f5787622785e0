package dev.millrace.job.train.part.updates;

import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.UpdateOptions;
import dev.millrace.job.train.publish.ModelStream;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * Writes updates to a topic.
 *
 * @param signingKeyOrNull the file with the key that signs them, where they are written
 */
record UpdatesToTopic(
    KafkaCluster cluster, String topic, Duration interval, String signingKeyOrNull)
    implements ModelStream.Factory {

  /** Returns what options ask for. */
  static Optional<ModelStream.Factory> of(Configuration options) {
    return options
        .getOptional(UpdateOptions.TOPIC)
        .map(
            topic ->
                new UpdatesToTopic(
                    KafkaOptions.cluster(options),
                    topic,
                    options.get(UpdateOptions.INTERVAL),
                    options.get(SnapshotOptions.SIGNING_KEY)));
  }

  @Override
  public ModelStream open() {
    return new UpdateStream(this);
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
