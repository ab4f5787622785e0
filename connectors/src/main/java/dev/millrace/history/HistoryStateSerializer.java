package dev.millrace.history;

import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes what both enumerators save. */
final class HistoryStateSerializer<E> implements SimpleVersionedSerializer<HistoryState<E>> {

  private static final int VERSION = 1 << 17;

  private final SimpleVersionedSerializer<PendingSplitsCheckpoint<FileSourceSplit>> files;
  private final SimpleVersionedSerializer<E> live;

  HistoryStateSerializer(
      SimpleVersionedSerializer<PendingSplitsCheckpoint<FileSourceSplit>> files,
      SimpleVersionedSerializer<E> live) {
    this.files = files;
    this.live = live;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(HistoryState<E> state) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    BulkArrays.writeBytes(
        out, SimpleVersionedSerialization.writeVersionAndSerialize(files, state.files()));
    BulkArrays.writeBytes(
        out, SimpleVersionedSerialization.writeVersionAndSerialize(live, state.live()));
    out.writeBoolean(state.isRead());
    return bytes.toByteArray();
  }

  @Override
  public HistoryState<E> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "An enumerator's state is of version %s, which a job without history wrote; leave it"
                  .formatted(version)
              + " out");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    return new HistoryState<>(
        SimpleVersionedSerialization.readVersionAndDeSerialize(files, BulkArrays.readBytes(in)),
        SimpleVersionedSerialization.readVersionAndDeSerialize(live, BulkArrays.readBytes(in)),
        in.readBoolean());
  }
}
