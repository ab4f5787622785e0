package dev.millrace.kafka.source;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.source.ExtendedSplitSerializer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes splits with the labels of their last records, behind what another serializer writes of
 * them. Reads what that one wrote alone, too.
 */
final class LaggedSplitSerializer
    extends ExtendedSplitSerializer<KafkaPartitionSplit, KafkaPartitionSplit> {

  /** Above all of the connector's own, and that with topics' ids. */
  private static final int VERSION = 1 << 16;

  private static final byte[] NONE = {};

  private final SimpleVersionedSerializer<KafkaPartitionSplit> plain;

  LaggedSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> plain) {
    super(plain, VERSION, "Partitions with labels");
    this.plain = plain;
  }

  @Override
  protected KafkaPartitionSplit plain(KafkaPartitionSplit split) {
    return split instanceof LaggedSplit lagged ? lagged.split() : split;
  }

  @Override
  protected void writeMore(KafkaPartitionSplit split, DataOutputStream out) throws IOException {
    BulkArrays.writeBytes(out, split instanceof LaggedSplit lagged ? lagged.labels() : NONE);
  }

  @Override
  protected KafkaPartitionSplit withMore(KafkaPartitionSplit split, DataInputStream in)
      throws IOException {
    return new LaggedSplit(split, BulkArrays.readBytes(in));
  }

  @Override
  public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
    return version < VERSION
        ? plain.deserialize(version, serialized)
        : super.deserialize(version, serialized);
  }
}
