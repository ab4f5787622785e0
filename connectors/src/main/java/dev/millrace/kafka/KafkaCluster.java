package dev.millrace.kafka;

import java.io.Serializable;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A Kafka cluster and how its clients reach it.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param properties for every client as Kafka itself names them: security.protocol, sasl.*, ssl.*
 *     and whatever else; they win over Millrace's defaults
 */
public record KafkaCluster(String bootstrapServers, Map<String, String> properties)
    implements Serializable {

  public KafkaCluster {
    if (bootstrapServers.isBlank()) {
      throw new IllegalArgumentException("bootstrap.servers is empty; give host:port of a broker");
    }
    properties = Map.copyOf(properties);
  }

  /** A cluster that needs neither login nor encryption. */
  public static KafkaCluster at(String bootstrapServers) {
    return new KafkaCluster(bootstrapServers, Map.of());
  }

  /** Settings for a client: {@code defaults}, then the cluster's own. */
  Properties clientProperties(Map<String, String> defaults) {
    Properties all = new Properties();
    all.putAll(defaults);
    all.putAll(properties);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }

  /** Names the keys alone: values may be secrets. */
  @Override
  public String toString() {
    return bootstrapServers + " with " + new TreeMap<>(properties).keySet();
  }
}
