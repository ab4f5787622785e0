package dev.millrace.kafka;

import dev.millrace.model.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes splits with the labels of their last records, behind what the connector's own serializer
 * writes of them. Reads what that one wrote alone, too.
 */
final class LaggedSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {

  /** Above all of the connector's own. */
  private static final int VERSION = 1 << 16;

  private static final byte[] NONE = {};

  private final SimpleVersionedSerializer<KafkaPartitionSplit> plain;

  LaggedSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> plain) {
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
    BulkArrays.writeBytes(
        out, plain.serialize(split instanceof LaggedSplit lagged ? lagged.split() : split));
    BulkArrays.writeBytes(out, split instanceof LaggedSplit lagged ? lagged.labels() : NONE);
    return bytes.toByteArray();
  }

  @Override
  public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
    if (version < VERSION) {
      return plain.deserialize(version, serialized);
    }
    if (version > VERSION) {
      throw new IOException(
          "Partitions with labels are of version %s, and at most %s is known"
              .formatted(version, VERSION));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    KafkaPartitionSplit split = plain.deserialize(in.readInt(), BulkArrays.readBytes(in));
    return new LaggedSplit(split, BulkArrays.readBytes(in));
  }
}
