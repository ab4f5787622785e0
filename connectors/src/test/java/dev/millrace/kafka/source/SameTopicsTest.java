package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.kafka.topic.TopicFacts;
import dev.millrace.kafka.topic.TopicLookup;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SameTopicsTest {

  private static final TopicPartition FLOWERS = new TopicPartition("flowers", 0);
  private static final TopicPartition TREES = new TopicPartition("trees", 0);

  private final Brokers brokers = new Brokers();
  private final Map<String, String> ids = new HashMap<>();

  @Test
  void aTopicOfTheSameIdIsReadOn() {
    brokers.have("flowers", "A", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);

    same.admit(List.of(at(FLOWERS, 300, "A")));
    List<KafkaPartitionSplit> saved = same.identify(List.of(plain(FLOWERS, 310)));

    assertThat(saved).containsExactly(at(FLOWERS, 310, "A"));
    assertThat(TopicSplit.topicId(saved.get(0))).isEqualTo("A");
    assertThat(ids).containsExactly(Map.entry("flowers", "A"));
  }

  @Test
  void anotherTopicOfTheNameFailsTheJobWithBothIdsAndTheOffset() {
    brokers.have("flowers", "B", 1);
    brokers.have("trees", "C", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);

    assertThatThrownBy(() -> same.admit(List.of(at(FLOWERS, 300, "A"), at(TREES, 7, "C"))))
        .isInstanceOf(RecreatedTopicException.class)
        .hasMessage(
            "The topic 'flowers' was deleted and made again: its id was A, and is B now. The old"
                + " one was read to offset 300 of flowers-0. Have the input read topics that are"
                + " made again from their beginning or, if this one holds the same records at the"
                + " same offsets, continue there");
  }

  @Test
  void anotherTopicIsReadFromItsBeginningIfThatIsWanted() {
    brokers.have("flowers", "B", 1);
    SameTopics same = topics(RecreatedTopic.EARLIEST);
    TopicPartition notYet = new TopicPartition("flowers", 1);

    assertThat(same.admit(List.of(at(FLOWERS, 300, "A"), at(notYet, 40, "A"))))
        .containsExactly(at(FLOWERS, KafkaPartitionSplit.EARLIEST_OFFSET, "B"), at(notYet, 0, "B"));
    assertThat(ids).containsExactly(Map.entry("flowers", "B"));
  }

  @Test
  void anotherTopicIsReadOnIfItIsSaidToHoldTheSame() {
    brokers.have("flowers", "B", 1);
    SameTopics same = topics(RecreatedTopic.CONTINUE);

    assertThat(same.admit(List.of(at(FLOWERS, 300, "A")))).containsExactly(at(FLOWERS, 300, "B"));
    assertThat(ids).containsExactly(Map.entry("flowers", "B"));
  }

  @Test
  void noCheckpointHasRecordsOfATopicThatWasMadeAgainWhileItWasRead() {
    brokers.have("flowers", "A", 1);
    for (RecreatedTopic rule : RecreatedTopic.values()) {
      brokers.have("flowers", "A", 1);
      SameTopics same = topics(rule);
      same.admit(List.of(at(FLOWERS, 300, "A")));

      brokers.have("flowers", "B", 1);

      assertThatThrownBy(() -> same.identify(List.of(plain(FLOWERS, 350))))
          .as(rule.toString())
          // Where it goes on, the job restarts for it from the checkpoint before.
          .isExactlyInstanceOf(
              rule == RecreatedTopic.FAIL
                  ? RecreatedTopicException.class
                  : KafkaAccessException.class)
          .hasMessageContainingAll("'flowers'", "its id was A, and is B now", "to offset 350");
    }
  }

  @Test
  void aPartitionOfTheNewTopicIsntReadBesideThoseOfTheOldOne() {
    brokers.have("flowers", "A", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);
    same.admit(List.of(at(FLOWERS, 300, "A")));

    brokers.have("flowers", "B", 2);

    assertThatThrownBy(() -> same.admit(List.of(at(new TopicPartition("flowers", 1), 0, "B"))))
        .isInstanceOf(RecreatedTopicException.class);
  }

  @Test
  void recordsThatAreGoneWithTheirTopicAreToldSo() {
    brokers.have("flowers", "A", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);
    same.admit(List.of(at(FLOWERS, 300, "A")));

    assertThatCode(() -> same.requireSame(Map.of(FLOWERS, 300L))).doesNotThrowAnyException();

    brokers.have("flowers", "B", 1);
    assertThatThrownBy(() -> same.requireSame(Map.of(FLOWERS, 300L)))
        .isInstanceOf(RecreatedTopicException.class)
        .hasMessageContaining("to offset 300 of flowers-0");
  }

  /** Old brokers, and topics that aren't there for the moment. */
  @Test
  void whereThereIsNoIdTheNameDecides() {
    brokers.have("flowers", "", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);

    same.admit(List.of(at(FLOWERS, 300, ""), at(TREES, 7, "C")));

    assertThat(same.identify(List.of(plain(FLOWERS, 310), plain(TREES, 7))))
        .containsExactly(at(FLOWERS, 310, ""), at(TREES, 7, "C"));
    assertThat(ids).containsOnly(Map.entry("flowers", ""), Map.entry("trees", "C"));
  }

  @Test
  void brokersThatAreAwayStopNoCheckpoint() {
    brokers.have("flowers", "A", 1);
    SameTopics same = topics(RecreatedTopic.FAIL);
    same.admit(List.of(at(FLOWERS, 300, "A")));
    List<KafkaPartitionSplit> reached = List.of(plain(FLOWERS, 310));
    brokers.away = true;

    assertThatCode(() -> same.identify(reached)).doesNotThrowAnyException();

    brokers.away = false;
    brokers.have("flowers", "B", 1);
    assertThatThrownBy(() -> same.identify(reached)).isInstanceOf(RecreatedTopicException.class);
  }

  private SameTopics topics(RecreatedTopic rule) {
    ids.clear();
    return new SameTopics(brokers, rule, ids);
  }

  /** As the connector's: what it has of a split is the split's place alone. */
  private static KafkaPartitionSplit plain(TopicPartition partition, long offset) {
    return new KafkaPartitionSplit(partition, offset);
  }

  private static KafkaPartitionSplit at(TopicPartition partition, long offset, String id) {
    return new TopicSplit(plain(partition, offset), id);
  }

  private static final class Brokers implements TopicLookup {

    private final Map<String, TopicFacts> topics = new HashMap<>();
    private boolean away;

    void have(String topic, String id, int partitions) {
      topics.put(topic, new TopicFacts(id, partitions));
    }

    @Override
    public Map<String, TopicFacts> of(Collection<String> names) {
      if (away) {
        throw new KafkaAccessException("away");
      }
      Map<String, TopicFacts> found = new HashMap<>(topics);
      found.keySet().retainAll(names);
      return found;
    }

    @Override
    public void close() {}
  }
}
