package dev.millrace.source;

import dev.millrace.model.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes the numbers of a split's records behind what the source's own serializer writes of it. */
final class CountedSplitSerializer<S extends SourceSplit>
    implements SimpleVersionedSerializer<CountedSplit<S>> {

  private static final int VERSION = 1;

  private final SimpleVersionedSerializer<S> plain;

  CountedSplitSerializer(SimpleVersionedSerializer<S> plain) {
    this.plain = plain;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(CountedSplit<S> split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(plain.getVersion());
    BulkArrays.writeBytes(out, plain.serialize(split.split()));
    out.writeInt(split.counts().size());
    for (SplitCounts.Count count : split.counts()) {
      out.writeUTF(count.name());
      out.writeLong(count.next());
    }
    return bytes.toByteArray();
  }

  @Override
  public CountedSplit<S> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "A split with numbers of records is of version %s, and only %s is known"
              .formatted(version, VERSION));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    S split = plain.deserialize(in.readInt(), BulkArrays.readBytes(in));
    List<SplitCounts.Count> counts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      counts.add(new SplitCounts.Count(in.readUTF(), in.readLong()));
    }
    return new CountedSplit<>(split, counts);
  }
}
