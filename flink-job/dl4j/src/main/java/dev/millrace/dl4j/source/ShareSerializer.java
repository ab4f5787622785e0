package dev.millrace.dl4j.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Shares in checkpoints. */
final class ShareSerializer implements SimpleVersionedSerializer<Share> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Share share) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(share.number());
    out.writeInt(share.shares());
    out.writeInt(share.epoch());
    out.writeLong(share.minibatch());
    out.writeInt(share.row());
    out.writeLong(share.examples());
    return bytes.toByteArray();
  }

  @Override
  public Share deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("Shares of version %s can't be read".formatted(version));
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    return new Share(
        in.readInt(), in.readInt(), in.readInt(), in.readLong(), in.readInt(), in.readLong());
  }
}
