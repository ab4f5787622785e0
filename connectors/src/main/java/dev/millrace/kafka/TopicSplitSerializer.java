package dev.millrace.kafka;

import dev.millrace.model.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes the id of a split's topic behind what the connector's own serializer writes of it. */
final class TopicSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {

  /** Above all of the connector's own. */
  static final int VERSION = 1 << 15;

  private final SimpleVersionedSerializer<KafkaPartitionSplit> plain;

  TopicSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> plain) {
    this.plain = plain;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(KafkaPartitionSplit split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(plain.getVersion());
    BulkArrays.writeBytes(out, plain.serialize(split));
    out.writeUTF(TopicSplit.topicId(split));
    return bytes.toByteArray();
  }

  @Override
  public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "Partitions with the ids of their topics are of version %s, and only %s is known"
              .formatted(version, VERSION));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    KafkaPartitionSplit split = plain.deserialize(in.readInt(), BulkArrays.readBytes(in));
    return new TopicSplit(split, in.readUTF());
  }
}
