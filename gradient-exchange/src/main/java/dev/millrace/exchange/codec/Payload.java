package dev.millrace.exchange.codec;

import dev.millrace.model.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One block's change as a codec sends it. Between processes and in checkpoints it is bytes; {@link
 * Codec#float32} leaves it floats for a receiver in the same process, which spares both sides a
 * copy.
 *
 * <p>Never changed once it is made.
 */
public final class Payload {

  private final byte[] bytes;
  private final float[] floats;

  private Payload(byte[] bytes, float[] floats) {
    this.bytes = bytes;
    this.floats = floats;
  }

  /** What {@link Encoder#encode} gave. */
  public static Payload of(byte[] bytes) {
    return new Payload(bytes, null);
  }

  /** The change itself, of which each float is four bytes, little-endian. */
  static Payload of(float[] floats) {
    return new Payload(null, floats);
  }

  /** Bytes that it is, or would be. */
  public int length() {
    return bytes == null ? floats.length * Float.BYTES : bytes.length;
  }

  /** Null where it is floats. */
  byte[] bytes() {
    return bytes;
  }

  /** Null where it is bytes. */
  float[] floats() {
    return floats;
  }

  /** Writes the same bytes for either kind, with their number in front. */
  public void write(DataOutput out) throws IOException {
    if (bytes == null) {
      BulkArrays.writeFloatsAsBytes(out, floats);
    } else {
      BulkArrays.writeBytes(out, bytes);
    }
  }

  /** Reads what {@link #write} wrote; always bytes. */
  public static Payload read(DataInput in) throws IOException {
    return of(BulkArrays.readBytes(in));
  }
}
