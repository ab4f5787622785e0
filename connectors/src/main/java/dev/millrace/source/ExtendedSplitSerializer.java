package dev.millrace.source;

import dev.millrace.model.io.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes more of a split, behind what the source's own serializer writes of it.
 *
 * @param <P> the source's own splits
 */
public abstract class ExtendedSplitSerializer<P extends SourceSplit, S extends SourceSplit>
    implements SimpleVersionedSerializer<S> {

  private final SimpleVersionedSerializer<P> plain;
  private final int version;
  private final String what;

  /**
   * Extends a serializer.
   *
   * @param version written with the splits, above all of {@code plain} if those are read, too
   * @param what it writes, in words: {@code Partitions with labels}
   */
  protected ExtendedSplitSerializer(SimpleVersionedSerializer<P> plain, int version, String what) {
    this.plain = plain;
    this.version = version;
    this.what = what;
  }

  /** Returns the split that the source's own serializer writes. */
  protected abstract P plain(S split);

  protected abstract void writeMore(S split, DataOutputStream out) throws IOException;

  /** Returns a split of the source's own one and of what {@link #writeMore} wrote. */
  protected abstract S withMore(P split, DataInputStream in) throws IOException;

  @Override
  public final int getVersion() {
    return version;
  }

  @Override
  public final byte[] serialize(S split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(plain.getVersion());
    BulkArrays.writeBytes(out, plain.serialize(plain(split)));
    writeMore(split, out);
    return bytes.toByteArray();
  }

  @Override
  public S deserialize(int written, byte[] serialized) throws IOException {
    if (written != version) {
      throw new IOException(
          "%s are of version %s, and only %s is known".formatted(what, written, version));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    return withMore(plain.deserialize(in.readInt(), BulkArrays.readBytes(in)), in);
  }
}
