package dev.millrace.kafka;

import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * An admin client that fails within a time limit, with a message that says what to do. Whether
 * anybody listens is found out with a bare socket: Kafka's clients would go on trying, and fill the
 * log with it.
 */
public final class BrokerConnection implements AutoCloseable {

  private final KafkaCluster cluster;
  private final Duration limit;
  private final Admin admin;

  private BrokerConnection(KafkaCluster cluster, Duration limit, Admin admin) {
    this.cluster = cluster;
    this.limit = limit;
    this.admin = admin;
  }

  /**
   * Connects and has the cluster described.
   *
   * @param limit for this and for each further request
   * @throws BrokerUnreachableException if nobody listens there
   * @throws KafkaAccessException if it is not possible for another reason
   */
  public static BrokerConnection open(KafkaCluster cluster, Duration limit) {
    requireListener(cluster, limit);
    String millis = Long.toString(limit.toMillis());
    Map<String, String> defaults =
        Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            millis,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            millis,
            AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG,
            "250",
            // The same pause each time; where it isn't given, each client warns of it.
            AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
            "250",
            AdminClientConfig.CLIENT_ID_CONFIG,
            "millrace-check");
    Admin admin;
    try {
      admin = Admin.create(cluster.clientProperties(defaults));
    } catch (KafkaException e) {
      throw new KafkaAccessException(
          "The settings of the Kafka client for %s are not usable: %s. Mend the kafka.* options"
              .formatted(cluster, KafkaFailure.rootMessage(e)),
          e);
    }
    BrokerConnection connection = new BrokerConnection(cluster, limit, admin);
    try {
      connection.get("describe the cluster", a -> a.describeCluster().nodes());
      return connection;
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Has a request answered.
   *
   * @param action what is asked for, to complete "not allowed to …"
   * @throws KafkaAccessException if it is refused or takes too long
   */
  public <T> T get(String action, Function<Admin, KafkaFuture<T>> request) {
    try {
      return request.apply(admin).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw KafkaFailure.explain(cluster, action, limit, e.getCause());
    } catch (TimeoutException e) {
      throw KafkaFailure.explain(cluster, action, limit, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAccessException("Interrupted while waiting for " + cluster, e);
    }
  }

  /**
   * Has topics described; those that aren't there are left out.
   *
   * @throws KafkaAccessException if that is refused or takes too long
   */
  public Map<String, TopicDescription> topics(Collection<String> names) {
    Map<String, TopicDescription> found = new HashMap<>();
    admin
        .describeTopics(names)
        .topicNameValues()
        .forEach(
            (name, answer) -> {
              try {
                found.put(name, get("describe the topic '" + name + "'", any -> answer));
              } catch (KafkaAccessException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                  throw e;
                }
              }
            });
    return found;
  }

  /**
   * Lists the topics that have records, but those of Kafka itself, in alphabetical order.
   *
   * @throws KafkaAccessException if that is refused or takes too long
   */
  public List<String> topicsWithRecords() {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    Map<TopicPartition, OffsetSpec> beginnings = new HashMap<>();
    for (TopicDescription topic :
        topics(get("list topics", any -> any.listTopics().names())).values()) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        TopicPartition place = new TopicPartition(topic.name(), partition.partition());
        ends.put(place, OffsetSpec.latest());
        beginnings.put(place, OffsetSpec.earliest());
      }
    }
    var from = get("ask for offsets", any -> any.listOffsets(beginnings).all());
    var to = get("ask for offsets", any -> any.listOffsets(ends).all());
    return ends.keySet().stream()
        .filter(place -> to.get(place).offset() > from.get(place).offset())
        .map(TopicPartition::topic)
        .distinct()
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }

  private static void requireListener(KafkaCluster cluster, Duration limit) {
    String[] addresses = cluster.bootstrapServers().split(",", -1);
    StringBuilder reasons = new StringBuilder();
    for (String address : addresses) {
      InetSocketAddress socketAddress = parse(address.strip(), cluster);
      try (Socket socket = new Socket()) {
        if (socketAddress.isUnresolved()) {
          throw new UnknownHostException(socketAddress.getHostString());
        }
        socket.connect(socketAddress, Math.toIntExact(limit.toMillis() / addresses.length));
        return;
      } catch (IOException e) {
        reasons.append(reasons.isEmpty() ? "" : "; ").append(address).append(": ");
        reasons.append(Reason.of(e));
      }
    }
    throw new BrokerUnreachableException(
        "No Kafka broker can be reached (%s). Start it, or correct %sbootstrap.servers, now '%s'"
            .formatted(reasons, cluster.prefix(), cluster.bootstrapServers()));
  }

  private static InetSocketAddress parse(String address, KafkaCluster cluster) {
    int colon = address.lastIndexOf(':');
    try {
      String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
      return new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1)));
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new KafkaAccessException(
          "%sbootstrap.servers is a list of host:port, separated by commas, and not '%s'"
              .formatted(cluster.prefix(), cluster.bootstrapServers()),
          e);
    }
  }
}
