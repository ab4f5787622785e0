package dev.millrace.kafka.source;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.kafka.topic.TopicChange;
import dev.millrace.kafka.topic.TopicFacts;
import dev.millrace.kafka.topic.TopicLookup;
import dev.millrace.model.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the topics that a reader reads by their ids, and lets it read on in one only as long as it
 * is the same one. Kafka's client goes by names: it would read a topic that was deleted and made
 * again from the old one's offset on.
 *
 * <p>Ids are compared when splits come, and at each checkpoint that has something new. An id never
 * comes back: where it still is the old one, all that was read before is of the old topic. So a
 * checkpoint holds no record of another, unless the brokers couldn't be asked.
 */
final class SameTopics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SameTopics.class);

  /** The pause between two checks of topics that nothing comes from. */
  private static final long PAUSE = Duration.ofSeconds(10).toNanos();

  private final TopicLookup lookup;
  private final RecreatedTopic rule;
  private final Map<String, String> ids;

  private List<KafkaPartitionSplit> checked = List.of();
  private long checkedAt = System.nanoTime();
  private boolean toldOfNone;

  /**
   * Knows no topic yet.
   *
   * @param rule what to do about another topic
   * @param ids of the topics that are read, by name: filled here, and only read elsewhere
   */
  SameTopics(TopicLookup lookup, RecreatedTopic rule, Map<String, String> ids) {
    this.lookup = lookup;
    this.rule = rule;
    this.ids = ids;
  }

  /**
   * Returns the splits, with their topics' ids, as they may be read.
   *
   * @throws RecreatedTopicException if one is of a topic that isn't there any more, but for its
   *     name, and the job is to fail then
   * @throws KafkaAccessException if the brokers can't be asked
   */
  List<KafkaPartitionSplit> admit(List<KafkaPartitionSplit> splits) {
    Map<String, TopicFacts> now = lookup.of(topics(splits));
    for (String topic : topics(splits)) {
      requireSame(topic, now.get(topic), checked);
    }
    List<KafkaPartitionSplit> known = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      TopicFacts topic = now.get(split.getTopic());
      String was = TopicSplit.topicId(split);
      String is = topic == null || topic.id().equals(Partition.NO_ID) ? was : topic.id();
      tellOfNone(is, topic);
      ids.put(split.getTopic(), is);
      known.add(
          TopicChange.differ(was, is) ? anew(split, splits, topic) : new TopicSplit(split, is));
    }
    return known;
  }

  private KafkaPartitionSplit anew(
      KafkaPartitionSplit split, List<KafkaPartitionSplit> all, TopicFacts topic) {
    TopicChange change = change(split, topic, List.of(split));
    switch (rule) {
      case FAIL ->
          throw new RecreatedTopicException(change(split, topic, own(split.getTopic(), all)));
      case EARLIEST -> {
        LOG.warn("{}. {} is read from its beginning", change.text(), split.getTopicPartition());
        // One that isn't there yet has no earliest record that could be looked up.
        long start =
            split.getPartition() < topic.partitions() ? KafkaPartitionSplit.EARLIEST_OFFSET : 0;
        return new TopicSplit(
            new KafkaPartitionSplit(split.getTopicPartition(), start), change.is());
      }
      case CONTINUE -> {
        LOG.warn("{}. {} is read on there", change.text(), split.getTopicPartition());
        return new TopicSplit(split, change.is());
      }
    }
    throw new IllegalStateException(rule.toString());
  }

  private static TopicChange change(
      KafkaPartitionSplit split, TopicFacts topic, List<KafkaPartitionSplit> reached) {
    return new TopicChange(split.getTopic(), TopicSplit.topicId(split), topic.id(), reached);
  }

  /** Old brokers have no ids, and then names have to do. */
  private void tellOfNone(String id, TopicFacts topicOrNull) {
    if (id.equals(Partition.NO_ID) && topicOrNull != null && !toldOfNone) {
      toldOfNone = true;
      LOG.warn(
          "The brokers tell no ids of topics, so a topic that is deleted and made again is taken"
              + " for the one that had its name");
    }
  }

  /**
   * Checks the topics of records that aren't there any more.
   *
   * @param next the offsets that were to be read next
   */
  void requireSame(Map<TopicPartition, Long> next) {
    List<KafkaPartitionSplit> reached = new ArrayList<>();
    next.forEach((partition, offset) -> reached.add(new KafkaPartitionSplit(partition, offset)));
    check(reached);
  }

  /** Returns what a checkpoint saves: the splits, whose topics are checked, with their ids. */
  List<KafkaPartitionSplit> identify(List<KafkaPartitionSplit> reached) {
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    for (KafkaPartitionSplit split : reached) {
      splits.add(new TopicSplit(split, ids.get(split.getTopic())));
    }
    if (!splits.equals(checked) || System.nanoTime() - checkedAt > PAUSE) {
      check(splits);
    }
    return splits;
  }

  private void check(List<KafkaPartitionSplit> reached) {
    if (ids.isEmpty()) {
      return;
    }
    Map<String, TopicFacts> now;
    try {
      now = lookup.of(ids.keySet());
    } catch (KafkaAccessException e) {
      // Brokers that are away for a while stop no job; the next check tells of all before it.
      LOG.warn("Whether topics are still the same can't be told now: {}", e.getMessage());
      return;
    }
    ids.keySet().forEach(topic -> requireSame(topic, now.get(topic), reached));
    checked = reached;
    checkedAt = System.nanoTime();
  }

  private void requireSame(String topic, TopicFacts nowOrNull, List<KafkaPartitionSplit> reached) {
    String was = ids.getOrDefault(topic, Partition.NO_ID);
    if (nowOrNull == null || !TopicChange.differ(was, nowOrNull.id())) {
      return;
    }
    TopicChange change = new TopicChange(topic, was, nowOrNull.id(), own(topic, reached));
    throw rule == RecreatedTopic.FAIL
        ? new RecreatedTopicException(change)
        // The records since the last checkpoint may be of either, and are taken back.
        : new KafkaAccessException(change.text() + ". The job restarts for it");
  }

  private static List<KafkaPartitionSplit> own(String topic, List<KafkaPartitionSplit> all) {
    return all.stream().filter(split -> split.getTopic().equals(topic)).toList();
  }

  private static Set<String> topics(List<KafkaPartitionSplit> splits) {
    return splits.stream()
        .map(KafkaPartitionSplit::getTopicPartition)
        .map(TopicPartition::topic)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    lookup.close();
  }
}
