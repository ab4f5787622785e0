package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SameTopicReaderTest {

  private static final TopicPartition FLOWERS = new TopicPartition("flowers", 0);
  private static final TopicPartition TREES = new TopicPartition("trees", 0);

  private final Brokers brokers = new Brokers();
  private final Plain plain = new Plain();
  private final Map<String, String> ids = new HashMap<>();

  @Test
  void aTopicOfTheSameIdIsReadOn() {
    brokers.have("flowers", "A", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);

    reader.addSplits(List.of(at(FLOWERS, 300, "A")));
    plain.moveTo(FLOWERS, 310);

    assertThat(reader.snapshotState(1)).containsExactly(at(FLOWERS, 310, "A"));
    assertThat(TopicSplit.topicId(reader.snapshotState(1).get(0))).isEqualTo("A");
    assertThat(ids).containsExactly(Map.entry("flowers", "A"));
  }

  @Test
  void anotherTopicOfTheNameFailsTheJobWithBothIdsAndTheOffset() {
    brokers.have("flowers", "B", 1);
    brokers.have("trees", "C", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);

    assertThatThrownBy(() -> reader.addSplits(List.of(at(FLOWERS, 300, "A"), at(TREES, 7, "C"))))
        .isInstanceOf(RecreatedTopicException.class)
        .hasMessage(
            "The topic 'flowers' was deleted and made again: its id was A, and is B now. The old"
                + " one was read to offset 300 of flowers-0. Have the input read topics that are"
                + " made again from their beginning or, if this one holds the same records at the"
                + " same offsets, continue there");
    assertThat(plain.splits).isEmpty();
  }

  @Test
  void anotherTopicIsReadFromItsBeginningIfThatIsWanted() {
    brokers.have("flowers", "B", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.EARLIEST);
    TopicPartition notYet = new TopicPartition("flowers", 1);

    reader.addSplits(List.of(at(FLOWERS, 300, "A"), at(notYet, 40, "A")));

    assertThat(plain.splits)
        .containsExactly(at(FLOWERS, KafkaPartitionSplit.EARLIEST_OFFSET, "B"), at(notYet, 0, "B"));
    assertThat(ids).containsExactly(Map.entry("flowers", "B"));
  }

  @Test
  void anotherTopicIsReadOnIfItIsSaidToHoldTheSame() {
    brokers.have("flowers", "B", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.CONTINUE);

    reader.addSplits(List.of(at(FLOWERS, 300, "A")));

    assertThat(plain.splits).containsExactly(at(FLOWERS, 300, "B"));
    assertThat(ids).containsExactly(Map.entry("flowers", "B"));
  }

  @Test
  void noCheckpointHasRecordsOfATopicThatWasMadeAgainWhileItWasRead() {
    brokers.have("flowers", "A", 1);
    for (RecreatedTopic rule : RecreatedTopic.values()) {
      brokers.have("flowers", "A", 1);
      SameTopicReader<String> reader = reader(rule);
      reader.addSplits(List.of(at(FLOWERS, 300, "A")));

      brokers.have("flowers", "B", 1);
      plain.moveTo(FLOWERS, 350);

      assertThatThrownBy(() -> reader.snapshotState(1))
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
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);
    reader.addSplits(List.of(at(FLOWERS, 300, "A")));

    brokers.have("flowers", "B", 2);

    assertThatThrownBy(
            () -> reader.addSplits(List.of(at(new TopicPartition("flowers", 1), 0, "B"))))
        .isInstanceOf(RecreatedTopicException.class);
  }

  @Test
  void recordsThatAreGoneWithTheirTopicAreToldSo() {
    brokers.have("flowers", "A", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);
    reader.addSplits(List.of(at(FLOWERS, 300, "A")));
    plain.lost =
        new LostRecordsException("gone", new OffsetOutOfRangeException(Map.of(FLOWERS, 300L)));

    assertThatThrownBy(() -> reader.pollNext(null)).isSameAs(plain.lost);

    brokers.have("flowers", "B", 1);
    assertThatThrownBy(() -> reader.pollNext(null))
        .isInstanceOf(RecreatedTopicException.class)
        .hasMessageContaining("to offset 300 of flowers-0");
  }

  /** Old brokers, and topics that aren't there for the moment. */
  @Test
  void whereThereIsNoIdTheNameDecides() {
    brokers.have("flowers", "", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);

    reader.addSplits(List.of(at(FLOWERS, 300, ""), at(TREES, 7, "C")));
    plain.moveTo(FLOWERS, 310);

    assertThat(reader.snapshotState(1)).containsExactly(at(FLOWERS, 310, ""), at(TREES, 7, "C"));
    assertThat(ids).containsOnly(Map.entry("flowers", ""), Map.entry("trees", "C"));
  }

  @Test
  void brokersThatAreAwayStopNoCheckpoint() {
    brokers.have("flowers", "A", 1);
    SameTopicReader<String> reader = reader(RecreatedTopic.FAIL);
    reader.addSplits(List.of(at(FLOWERS, 300, "A")));
    plain.moveTo(FLOWERS, 310);
    brokers.away = true;

    assertThatCode(() -> reader.snapshotState(1)).doesNotThrowAnyException();

    brokers.away = false;
    brokers.have("flowers", "B", 1);
    assertThatThrownBy(() -> reader.snapshotState(2)).isInstanceOf(RecreatedTopicException.class);
  }

  private SameTopicReader<String> reader(RecreatedTopic rule) {
    ids.clear();
    plain.splits.clear();
    return new SameTopicReader<>(plain, brokers, rule, ids);
  }

  private static KafkaPartitionSplit at(TopicPartition partition, long offset, String id) {
    return new TopicSplit(new KafkaPartitionSplit(partition, offset), id);
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

  /** As the connector's: what it has of a split is the split's place alone. */
  private static final class Plain implements SourceReader<String, KafkaPartitionSplit> {

    private final List<KafkaPartitionSplit> splits = new ArrayList<>();
    private LostRecordsException lost;

    void moveTo(TopicPartition partition, long offset) {
      splits.replaceAll(
          split ->
              split.getTopicPartition().equals(partition)
                  ? new KafkaPartitionSplit(partition, offset)
                  : split);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
      throw lost;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return List.copyOf(splits);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> more) {
      splits.addAll(more);
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }
}
