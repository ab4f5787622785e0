package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LaggedSplitSerializerTest {

  private static final KafkaPartitionSplit SPLIT =
      new KafkaPartitionSplit(new TopicPartition("t", 3), 17, 40);

  private final KafkaPartitionSplitSerializer plain = new KafkaPartitionSplitSerializer();
  private final LaggedSplitSerializer serializer = new LaggedSplitSerializer(plain);

  @Test
  void aSplitKeepsItsLabels() throws IOException {
    LaggedSplit lagged = new LaggedSplit(SPLIT, new byte[] {5, 6});

    KafkaPartitionSplit read =
        serializer.deserialize(serializer.getVersion(), serializer.serialize(lagged));

    assertThat(read).isEqualTo(SPLIT);
    assertThat(((LaggedSplit) read).labels()).containsExactly(5, 6);
  }

  /** One that the enumerator has just found. */
  @Test
  void aSplitWithoutLabelsHasNone() throws IOException {
    KafkaPartitionSplit read =
        serializer.deserialize(serializer.getVersion(), serializer.serialize(SPLIT));

    assertThat(read).isEqualTo(SPLIT);
    assertThat(((LaggedSplit) read).labels()).isEmpty();
  }

  @Test
  void readsWhatTheConnectorWrote() throws IOException {
    assertThat(serializer.deserialize(plain.getVersion(), plain.serialize(SPLIT))).isEqualTo(SPLIT);
  }

  @Test
  void aNewerVersionIsRefused() throws IOException {
    byte[] bytes = serializer.serialize(SPLIT);

    assertThatThrownBy(() -> serializer.deserialize(serializer.getVersion() + 1, bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Partitions with labels are of version");
  }
}
