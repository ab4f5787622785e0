package dev.millrace.kafka.source;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.BrokerTopics;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicChange;
import dev.millrace.kafka.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;

/** The partitions that a source of a savepoint was reading, and where it was in them. */
public final class SavedPartitions {

  private final List<KafkaPartitionSplit> splits;

  private SavedPartitions(List<KafkaPartitionSplit> splits) {
    this.splits = splits;
  }

  /**
   * Reads them.
   *
   * @param written splits of all readers of a source, as Flink writes each
   * @throws IOException if they are of another source
   */
  public static SavedPartitions read(List<byte[]> written) throws IOException {
    // It reads what was saved without labels, too.
    LaggedSplitSerializer serializer =
        new LaggedSplitSerializer(new TopicSplitSerializer(new KafkaPartitionSplitSerializer()));
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    for (byte[] one : written) {
      KafkaPartitionSplit split =
          SimpleVersionedSerialization.readVersionAndDeSerialize(serializer, one);
      splits.add(split instanceof LaggedSplit lagged ? lagged.split() : split);
    }
    return new SavedPartitions(splits);
  }

  public boolean isEmpty() {
    return splits.isEmpty();
  }

  /** Whether the job that was reading had an end to come to. */
  public boolean areBounded() {
    return splits.stream().anyMatch(split -> split.getStoppingOffset().isPresent());
  }

  /** Topics that a source would leave alone now, in order. */
  public SortedSet<String> without(Topics topics) {
    return splits.stream()
        .map(KafkaPartitionSplit::getTopic)
        .filter(topic -> !topics.includes(topic))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Compares the topics that a source would read on in with those that the brokers have now.
   *
   * @return what there is to say of topics that were made again, and that the source knows what to
   *     do about
   * @throws RecreatedTopicException if one was made again, and the source is to fail then
   * @throws KafkaAccessException if that can't be found out
   */
  public List<String> changes(SourceSettings settings, Duration limit) {
    Map<String, List<KafkaPartitionSplit>> byTopic =
        splits.stream()
            .filter(split -> settings.topics().includes(split.getTopic()))
            .collect(Collectors.groupingBy(KafkaPartitionSplit::getTopic));
    List<String> said = new ArrayList<>();
    try (BrokerTopics brokers = new BrokerTopics(settings.cluster(), limit)) {
      brokers
          .of(byTopic.keySet())
          .forEach(
              (topic, now) -> {
                String was = TopicSplit.topicId(byTopic.get(topic).get(0));
                if (TopicChange.differ(was, now.id())) {
                  said.add(of(new TopicChange(topic, was, now.id(), byTopic.get(topic)), settings));
                }
              });
    }
    return said;
  }

  private static String of(TopicChange change, SourceSettings settings) {
    return switch (settings.recreated()) {
      case FAIL -> throw new RecreatedTopicException(change);
      case EARLIEST -> change.text() + ". The new one is read from its beginning";
      case CONTINUE -> change.text() + ". The new one is read on there";
    };
  }
}
