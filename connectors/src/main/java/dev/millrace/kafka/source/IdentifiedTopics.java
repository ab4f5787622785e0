package dev.millrace.kafka.source;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaFailure;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicChange;
import dev.millrace.kafka.topic.TopicFacts;
import dev.millrace.model.Partition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.connector.kafka.source.enumerator.subscriber.KafkaSubscriber;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the partitions of a source's topics, and the topics' ids: these before the offsets that
 * reading begins at are looked up, so that an offset is never taken for one of an earlier topic.
 */
final class IdentifiedTopics implements KafkaSubscriber {

  private final SourceSettings settings;
  private transient Map<String, String> ids;
  private transient Set<TopicPartition> first;

  IdentifiedTopics(SourceSettings settings) {
    this.settings = settings;
  }

  /** Knows of nothing any more: a job starts, or starts again. */
  void begin() {
    ids = new ConcurrentHashMap<>();
    first = null;
  }

  /** The id that a topic had when its partitions were found first. */
  String id(String topic) {
    return ids.getOrDefault(topic, Partition.NO_ID);
  }

  @Override
  public Set<TopicPartition> getSubscribedTopicPartitions(AdminClient admin) {
    Map<String, TopicDescription> found;
    try {
      found = admin.describeTopics(settings.topics().find(admin)).allTopicNames().get();
    } catch (ExecutionException e) {
      throw new KafkaAccessException(
          "The topics %s at %s can't be looked at: %s"
              .formatted(
                  settings.topics(),
                  settings.cluster().bootstrapServers(),
                  KafkaFailure.rootMessage(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAccessException("Interrupted while looking for " + settings.topics(), e);
    }
    found.forEach((topic, description) -> requireSame(topic, TopicFacts.of(description).id()));
    Set<TopicPartition> partitions =
        found.entrySet().stream()
            .flatMap(
                topic ->
                    IntStream.range(0, topic.getValue().partitions().size())
                        .mapToObj(number -> new TopicPartition(topic.getKey(), number)))
            .collect(Collectors.toSet());
    if (first == null || !settings.discovery().isZero()) {
      first = partitions;
    }
    return first;
  }

  private void requireSame(String topic, String is) {
    String was = ids.putIfAbsent(topic, is);
    if (was == null || !TopicChange.differ(was, is)) {
      return;
    }
    TopicChange change = new TopicChange(topic, was, is, List.of());
    throw settings.recreated() == RecreatedTopic.FAIL
        ? new RecreatedTopicException(change)
        : new KafkaAccessException(change.text() + ". The job restarts for it");
  }
}
