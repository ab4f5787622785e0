package dev.millrace.model.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Arrays to bytes and back, copied in bulk: little-endian, an int length in front. No memory is
 * taken for a long array whose bytes aren't there.
 */
public final class BulkArrays {

  private static final int SCRATCH_BYTES = 1 << 16;

  /** A longer array grows while its bytes come. */
  private static final int AT_ONCE = 1 << 20;

  private static final ThreadLocal<byte[]> SCRATCH =
      ThreadLocal.withInitial(() -> new byte[SCRATCH_BYTES]);

  /** Copies values between a buffer and an array, {@code n} from {@code at} on. */
  private interface Copy<A> {

    void make(ByteBuffer buffer, A array, int at, int n);
  }

  /** Arrays of one type. */
  private record Kind<A>(int bytes, IntFunction<A> array, Copy<A> put, Copy<A> get) {}

  private static final Kind<float[]> FLOATS =
      new Kind<>(
          Float.BYTES,
          float[]::new,
          (buffer, array, at, n) -> buffer.asFloatBuffer().put(array, at, n),
          (buffer, array, at, n) -> buffer.asFloatBuffer().get(array, at, n));

  private static final Kind<double[]> DOUBLES =
      new Kind<>(
          Double.BYTES,
          double[]::new,
          (buffer, array, at, n) -> buffer.asDoubleBuffer().put(array, at, n),
          (buffer, array, at, n) -> buffer.asDoubleBuffer().get(array, at, n));

  private static final Kind<int[]> INTS =
      new Kind<>(
          Integer.BYTES,
          int[]::new,
          (buffer, array, at, n) -> buffer.asIntBuffer().put(array, at, n),
          (buffer, array, at, n) -> buffer.asIntBuffer().get(array, at, n));

  private static final Kind<long[]> LONGS =
      new Kind<>(
          Long.BYTES,
          long[]::new,
          (buffer, array, at, n) -> buffer.asLongBuffer().put(array, at, n),
          (buffer, array, at, n) -> buffer.asLongBuffer().get(array, at, n));

  private BulkArrays() {}

  private static <A> void put(DataOutput out, Kind<A> kind, A values, int length)
      throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / kind.bytes();
    for (int at = 0; at < length; at += step) {
      int n = Math.min(step, length - at);
      kind.put().make(buffer, values, at, n);
      out.write(scratch, 0, n * kind.bytes());
    }
  }

  private static <A> void get(DataInput in, Kind<A> kind, A values, int from, int length)
      throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / kind.bytes();
    for (int at = from; at < length; at += step) {
      int n = Math.min(step, length - at);
      in.readFully(scratch, 0, n * kind.bytes());
      kind.get().make(buffer, values, at, n);
    }
  }

  private static <A> A read(DataInput in, Kind<A> kind) throws IOException {
    int length = readLength(in);
    int known = Math.min(length, AT_ONCE);
    A values = kind.array().apply(known);
    get(in, kind, values, 0, known);
    while (known < length) {
      int more = grown(known, length);
      A grown = kind.array().apply(more);
      System.arraycopy(values, 0, grown, 0, known);
      get(in, kind, grown, known, more);
      values = grown;
      known = more;
    }
    return values;
  }

  private static int readLength(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IOException("an array of %s values".formatted(length));
    }
    return length;
  }

  private static int grown(int known, int length) {
    return (int) Math.min(length, 4L * known);
  }

  public static void writeFloats(DataOutput out, float[] values) throws IOException {
    writeFloats(out, values, values.length);
  }

  /** Writes the first {@code length} of the values. */
  public static void writeFloats(DataOutput out, float[] values, int length) throws IOException {
    out.writeInt(length);
    put(out, FLOATS, values, length);
  }

  /** Writes what {@link #writeBytes} writes of the same floats as bytes. */
  public static void writeFloatsAsBytes(DataOutput out, float[] values) throws IOException {
    out.writeInt(values.length * Float.BYTES);
    put(out, FLOATS, values, values.length);
  }

  public static float[] readFloats(DataInput in) throws IOException {
    return read(in, FLOATS);
  }

  /**
   * Fills an array with what {@link #writeFloats} wrote.
   *
   * @throws IOException if it was of another length
   */
  public static void readFloats(DataInput in, float[] values) throws IOException {
    int length = in.readInt();
    if (length != values.length) {
      throw new IOException("%s floats, where %s belong".formatted(length, values.length));
    }
    get(in, FLOATS, values, 0, length);
  }

  public static void writeDoubles(DataOutput out, double[] values) throws IOException {
    out.writeInt(values.length);
    put(out, DOUBLES, values, values.length);
  }

  public static double[] readDoubles(DataInput in) throws IOException {
    return read(in, DOUBLES);
  }

  public static void writeInts(DataOutput out, int[] values) throws IOException {
    out.writeInt(values.length);
    put(out, INTS, values, values.length);
  }

  public static int[] readInts(DataInput in) throws IOException {
    return read(in, INTS);
  }

  public static void writeLongs(DataOutput out, long[] values) throws IOException {
    writeLongs(out, values, values.length);
  }

  /** Writes the first {@code length} of the values. */
  public static void writeLongs(DataOutput out, long[] values, int length) throws IOException {
    out.writeInt(length);
    put(out, LONGS, values, length);
  }

  public static long[] readLongs(DataInput in) throws IOException {
    return read(in, LONGS);
  }

  public static void writeBytes(DataOutput out, byte[] values) throws IOException {
    out.writeInt(values.length);
    out.write(values);
  }

  public static byte[] readBytes(DataInput in) throws IOException {
    return readBytes(in, readLength(in));
  }

  /** Reads so many bytes, which those before have told the number of. */
  public static byte[] readBytes(DataInput in, int length) throws IOException {
    byte[] values = new byte[Math.min(length, AT_ONCE)];
    in.readFully(values);
    while (values.length < length) {
      int known = values.length;
      values = Arrays.copyOf(values, grown(known, length));
      in.readFully(values, known, values.length - known);
    }
    return values;
  }
}
