package dev.millrace.job.updates;

import dev.millrace.exchange.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The parameters of those who follow updates of a whole model. Who sends them keeps the same ones,
 * so the next update has what the ones before have left out (error feedback: Seide et al. 2014).
 * All add the same floats in the same order, so all have the same bits.
 *
 * <p>Not thread-safe.
 */
final class FollowedParameters {

  /** So that a piece, encoded, is a record which brokers take. */
  static final int PIECE = 1 << 20;

  private static final double SHARE = 0.2;

  /** How each piece is encoded. */
  static final Codec CODEC = Codec.twoBitTopK(SHARE);

  private final float[] values;
  private final float[] change;
  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final long origin;
  private int number;
  private long checksum;

  /** Begins with a whole model: the first {@code length} values, which are copied. */
  FollowedParameters(float[] whole, int length) {
    this.values = new float[length];
    System.arraycopy(whole, 0, values, 0, length);
    this.change = new float[Math.min(PIECE, length)];
    this.origin = sum();
    this.checksum = origin;
  }

  int pieces() {
    return (values.length - 1) / PIECE + 1;
  }

  int offset(int piece) {
    return piece * PIECE;
  }

  int length(int piece) {
    return Math.min(PIECE, values.length - offset(piece));
  }

  /** CRC-32 of the whole model's parameters. */
  long origin() {
    return origin;
  }

  /** Number of the update that was added last; 0 for the whole model. */
  int number() {
    return number;
  }

  /** CRC-32 of the values' bytes, behind the update that was added last. */
  long checksum() {
    return checksum;
  }

  /** Puts how far values are away, those of a piece, into {@code difference}. */
  void difference(int piece, float[] newest, float[] difference) {
    int offset = offset(piece);
    for (int i = 0; i < length(piece); i++) {
      difference[i] = newest[offset + i] - values[offset + i];
    }
  }

  /**
   * Adds a piece of the next update.
   *
   * @throws IllegalArgumentException if the change isn't one of that piece
   */
  void add(int piece, byte[] encoded) {
    int offset = offset(piece);
    int length = length(piece);
    CODEC.decode(encoded, change, length);
    for (int i = 0; i < length; i++) {
      values[offset + i] += change[i];
    }
  }

  /** All pieces of the next update are added. */
  void complete() {
    number++;
    checksum = sum();
  }

  private long sum() {
    CRC32 crc = new CRC32();
    int step = bytes.capacity() / Float.BYTES;
    for (int at = 0; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      bytes.asFloatBuffer().put(values, at, n);
      crc.update(bytes.array(), 0, n * Float.BYTES);
    }
    return crc.getValue();
  }

  float[] copy() {
    return values.clone();
  }
}
