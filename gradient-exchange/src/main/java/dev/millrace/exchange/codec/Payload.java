package dev.millrace.exchange.codec;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One block's change as a codec sends it, and which codec that is: whoever receives it has to know
 * nothing else. Between processes and in checkpoints it is bytes; {@link Codec#float32} leaves it
 * floats for a receiver in the same process, which spares both sides a copy.
 *
 * <p>Never changed once it is made.
 */
public final class Payload {

  private final String codec;
  private final byte[] bytes;
  private final float[] floats;

  private Payload(String codec, byte[] bytes, float[] floats) {
    this.codec = codec;
    this.bytes = bytes;
    this.floats = floats;
  }

  /** Makes a payload of what {@link Encoder#encode} gave, of the codec of that name. */
  public static Payload of(String codec, byte[] bytes) {
    return new Payload(codec, bytes, null);
  }

  /**
   * The change itself, as {@link Codec#float32} sends it: each float is four bytes, little-endian.
   *
   * @param floats of exactly the block's length, never changed afterwards
   */
  public static Payload of(float[] floats) {
    return new Payload(Float32Codec.NAME, null, floats);
  }

  /**
   * The change.
   *
   * @param scratch of {@code length} at least; its content is undefined afterwards
   * @return an array that holds the change from index 0 on, and is only to be read
   * @throws IllegalArgumentException if this isn't the change of a block of that length
   */
  public float[] receive(float[] scratch, int length) {
    if (floats == null) {
      Codec.named(codec).decode(bytes, scratch, length);
      return scratch;
    }
    if (floats.length != length) {
      throw new IllegalArgumentException(
          "A block of %s floats can't be one of %s".formatted(length, floats.length));
    }
    return floats;
  }

  /** Bytes that it is, or would be. */
  public int length() {
    return bytes == null ? floats.length * Float.BYTES : bytes.length;
  }

  /** Writes the same bytes for either kind, behind the codec's name and their number. */
  public void write(DataOutput out) throws IOException {
    out.writeUTF(codec);
    if (bytes == null) {
      BulkArrays.writeFloatsAsBytes(out, floats);
    } else {
      BulkArrays.writeBytes(out, bytes);
    }
  }

  /** Reads what {@link #write} wrote; always bytes. */
  public static Payload read(DataInput in) throws IOException {
    return of(in.readUTF(), BulkArrays.readBytes(in));
  }
}
