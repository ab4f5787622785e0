package dev.millrace.history;

import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.FileSourceSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes files, and what the source behind writes of its splits. */
final class HistorySplitSerializer<L extends SourceSplit>
    implements SimpleVersionedSerializer<HistorySplit<L>> {

  /** The version of this format, above those of topics' splits. */
  static final int VERSION = 1 << 17;

  private final SimpleVersionedSerializer<L> live;

  HistorySplitSerializer(SimpleVersionedSerializer<L> live) {
    this.live = live;
  }

  /**
   * Returns what the source behind wrote of a split, with its version; empty where it is a file.
   *
   * @param from where the split begins in the bytes
   */
  static Optional<byte[]> live(byte[] serialized, int from) throws IOException {
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(serialized, from, serialized.length - from));
    return in.readBoolean() ? Optional.empty() : Optional.of(BulkArrays.readBytes(in));
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(HistorySplit<L> split) throws IOException {
    FileSourceSplit file = split.fileOrNull();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBoolean(file != null);
    BulkArrays.writeBytes(
        out,
        file != null
            ? SimpleVersionedSerialization.writeVersionAndSerialize(
                FileSourceSplitSerializer.INSTANCE, file)
            : SimpleVersionedSerialization.writeVersionAndSerialize(live, split.liveOrNull()));
    BulkArrays.writeBytes(out, split.labels());
    return bytes.toByteArray();
  }

  @Override
  public HistorySplit<L> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "Splits are of version %s, which a job without history wrote; leave history out"
              .formatted(version));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    boolean isFile = in.readBoolean();
    byte[] split = BulkArrays.readBytes(in);
    byte[] labels = BulkArrays.readBytes(in);
    return isFile
        ? new HistorySplit<>(
            SimpleVersionedSerialization.readVersionAndDeSerialize(
                FileSourceSplitSerializer.INSTANCE, split),
            labels,
            null)
        : new HistorySplit<>(
            null, labels, SimpleVersionedSerialization.readVersionAndDeSerialize(live, split));
  }
}
