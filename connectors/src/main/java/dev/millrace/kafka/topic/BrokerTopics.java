package dev.millrace.kafka.topic;

import dev.millrace.kafka.BrokerConnection;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Asks brokers, by one connection that is kept. Not thread-safe. */
public final class BrokerTopics implements TopicLookup {

  private final KafkaCluster cluster;
  private final Duration limit;
  private BrokerConnection connection;

  /**
   * @param limit for each question
   */
  public BrokerTopics(KafkaCluster cluster, Duration limit) {
    this.cluster = cluster;
    this.limit = limit;
  }

  @Override
  public Map<String, TopicFacts> of(Collection<String> names) {
    if (connection == null) {
      connection = BrokerConnection.open(cluster, limit);
    }
    Map<String, TopicFacts> facts = new HashMap<>();
    connection
        .topics(names)
        .forEach((name, description) -> facts.put(name, TopicFacts.of(description)));
    return facts;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
