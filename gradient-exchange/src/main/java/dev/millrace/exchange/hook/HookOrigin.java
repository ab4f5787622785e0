package dev.millrace.exchange.hook;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Says who saved a part of what a hook keeps. In a checkpoint it stands in front of each part: when
 * the number of replicas changes, others get it.
 *
 * @param replica number of the one that saved it
 * @param part which of its parts
 * @param log what that one had done since its last contribution; empty where nothing is written
 *     down
 */
public record HookOrigin(int replica, int part, String log) {

  private static final int FORMAT = 1;

  /** Writes it in front of a part. */
  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(replica);
    out.writeInt(part);
    BulkArrays.writeBytes(out, log.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads what {@link #write} wrote; the part follows. */
  public static HookOrigin read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, HookOrigin.class);
    return new HookOrigin(
        in.readInt(), in.readInt(), new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8));
  }

  /** Returns this and a part behind it. */
  public byte[] before(byte[] part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    write(out);
    out.write(part);
    return bytes.toByteArray();
  }

  /** Returns the part of what {@link #before} gave. */
  public static byte[] part(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    HookOrigin unused = read(in);
    return in.readAllBytes();
  }
}
