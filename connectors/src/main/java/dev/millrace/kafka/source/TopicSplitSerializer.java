package dev.millrace.kafka.source;

import dev.millrace.source.ExtendedSplitSerializer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes the id of a split's topic behind what the connector's own serializer writes of it. */
final class TopicSplitSerializer
    extends ExtendedSplitSerializer<KafkaPartitionSplit, KafkaPartitionSplit> {

  /** The version of this format, above all of the connector's own. */
  static final int VERSION = 1 << 15;

  TopicSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> plain) {
    super(plain, VERSION, "Partitions with the ids of their topics");
  }

  @Override
  protected KafkaPartitionSplit plain(KafkaPartitionSplit split) {
    return split;
  }

  @Override
  protected void writeMore(KafkaPartitionSplit split, DataOutputStream out) throws IOException {
    out.writeUTF(TopicSplit.topicId(split));
  }

  @Override
  protected KafkaPartitionSplit withMore(KafkaPartitionSplit split, DataInputStream in)
      throws IOException {
    return new TopicSplit(split, in.readUTF());
  }
}
