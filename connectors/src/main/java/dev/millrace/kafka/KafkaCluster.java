package dev.millrace.kafka;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * A Kafka cluster and how its clients reach it.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param properties for every client as Kafka itself names them: security.protocol, sasl.*, ssl.*
 *     and whatever else; they win over Millrace's defaults
 * @param prefix what the user's names of these begin with, such as {@code kafka.}
 */
public record KafkaCluster(String bootstrapServers, Map<String, String> properties, String prefix)
    implements Serializable {

  private static final String REQUEST_TIMEOUT = CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG;

  private static final List<String> AROUND_REQUESTS =
      List.of(
          CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG,
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);

  /** How keys of login modules and interceptors are called. */
  private static final Pattern SECRET = Pattern.compile("password|secret|token|jaas");

  public KafkaCluster {
    if (bootstrapServers.isBlank()) {
      throw new IllegalArgumentException(
          prefix + "bootstrap.servers is empty; give host:port of a broker");
    }
    Map<String, String> found = new TreeMap<>(properties);
    found.replaceAll((key, value) -> KafkaClasses.found(value));
    properties = Map.copyOf(found);
  }

  /** A cluster whose user names settings as Kafka does. */
  public KafkaCluster(String bootstrapServers, Map<String, String> properties) {
    this(bootstrapServers, properties, "");
  }

  /** A cluster that needs neither login nor encryption. */
  public static KafkaCluster at(String bootstrapServers) {
    return new KafkaCluster(bootstrapServers, Map.of());
  }

  /** Whether a client's key has a secret as its value. */
  public static boolean isSecret(String key) {
    ConfigDef.ConfigKey known = ConsumerConfig.configDef().configKeys().get(key);
    return known == null ? SECRET.matcher(key).find() : known.type == ConfigDef.Type.PASSWORD;
  }

  /**
   * Settings for a client: {@code defaults}, then the cluster's own. Kafka refuses limits shorter
   * than those of the requests within, so where the cluster's own have a request take longer,
   * defaults that would be too short for it are left to Kafka.
   */
  public Properties clientProperties(Map<String, String> defaults) {
    Properties all = new Properties();
    all.putAll(defaults);
    if (properties.containsKey(REQUEST_TIMEOUT)) {
      AROUND_REQUESTS.forEach(all::remove);
    }
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
