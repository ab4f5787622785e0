package dev.millrace.api;

import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelsOfTopic;
import dev.millrace.kafka.KafkaCluster;
import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;

/** Where models to predict with come from; each new one takes over while the job runs. */
@PublicEvolving
public final class ModelFeed {

  private final ModelPlace place;

  private ModelFeed(ModelPlace place) {
    this.place = place;
  }

  /**
   * The newest model in a directory, as soon as it is published.
   *
   * @param directory a path or a URI that all machines reach
   */
  public static ModelFeed latest(String directory) {
    return new ModelFeed(ModelDirectory.of(directory, false));
  }

  /**
   * The newest model in a directory that a checkpoint of training covers, so that none is ever
   * taken back.
   *
   * @param directory a path or a URI that all machines reach
   */
  public static ModelFeed committed(String directory) {
    return new ModelFeed(ModelDirectory.of(directory, true));
  }

  /**
   * The newest model in a topic of models.
   *
   * @param servers addresses of Kafka's brokers
   * @param properties for Kafka's client, such as those of a login
   */
  public static ModelFeed topic(String servers, Map<String, String> properties, String topic) {
    return new ModelFeed(new ModelsOfTopic(new KafkaCluster(servers, properties), topic));
  }

  ModelPlace place() {
    return place;
  }
}
