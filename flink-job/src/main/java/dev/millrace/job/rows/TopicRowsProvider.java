package dev.millrace.job.rows;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.kafka.KafkaCluster;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Found by {@link RowPlace#of}. */
public final class TopicRowsProvider implements RowPlace.Provider {

  @Override
  public Optional<RowPlace> place(Configuration options) {
    return options
        .getOptional(RowsOptions.TOPIC)
        .map(
            topic ->
                new TopicRows(
                    KafkaOptions.cluster(options),
                    topic,
                    options.getOptional(RowsOptions.DIRECTORY).orElse("")));
  }

  @Override
  public Optional<RowPlace> place(KafkaCluster cluster, String topic) {
    return Optional.of(new TopicRows(cluster, topic, ""));
  }
}
