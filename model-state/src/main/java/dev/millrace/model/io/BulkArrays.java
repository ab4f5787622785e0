package dev.millrace.model.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

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

  private BulkArrays() {}

  public static void writeFloats(DataOutput out, float[] values) throws IOException {
    writeFloats(out, values, values.length);
  }

  /** Writes the first {@code length} of the values. */
  public static void writeFloats(DataOutput out, float[] values, int length) throws IOException {
    out.writeInt(length);
    put(out, values, length);
  }

  /** Writes what {@link #writeBytes} writes of the same floats as bytes. */
  public static void writeFloatsAsBytes(DataOutput out, float[] values) throws IOException {
    out.writeInt(values.length * Float.BYTES);
    put(out, values, values.length);
  }

  private static void put(DataOutput out, float[] values, int length) throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Float.BYTES;
    for (int at = 0; at < length; at += step) {
      int n = Math.min(step, length - at);
      buffer.asFloatBuffer().put(values, at, n);
      out.write(scratch, 0, n * Float.BYTES);
    }
  }

  public static float[] readFloats(DataInput in) throws IOException {
    int length = readLength(in);
    float[] values = new float[Math.min(length, AT_ONCE)];
    fill(values, 0, in);
    while (values.length < length) {
      int known = values.length;
      values = Arrays.copyOf(values, grown(known, length));
      fill(values, known, in);
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
    fill(values, 0, in);
  }

  private static void fill(float[] values, int from, DataInput in) throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Float.BYTES;
    for (int at = from; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      in.readFully(scratch, 0, n * Float.BYTES);
      buffer.asFloatBuffer().get(values, at, n);
    }
  }

  public static void writeDoubles(DataOutput out, double[] values) throws IOException {
    out.writeInt(values.length);
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Double.BYTES;
    for (int at = 0; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      buffer.asDoubleBuffer().put(values, at, n);
      out.write(scratch, 0, n * Double.BYTES);
    }
  }

  public static double[] readDoubles(DataInput in) throws IOException {
    int length = readLength(in);
    double[] values = new double[Math.min(length, AT_ONCE)];
    fill(values, 0, in);
    while (values.length < length) {
      int known = values.length;
      values = Arrays.copyOf(values, grown(known, length));
      fill(values, known, in);
    }
    return values;
  }

  private static void fill(double[] values, int from, DataInput in) throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Double.BYTES;
    for (int at = from; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      in.readFully(scratch, 0, n * Double.BYTES);
      buffer.asDoubleBuffer().get(values, at, n);
    }
  }

  public static void writeInts(DataOutput out, int[] values) throws IOException {
    out.writeInt(values.length);
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Integer.BYTES;
    for (int at = 0; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      buffer.asIntBuffer().put(values, at, n);
      out.write(scratch, 0, n * Integer.BYTES);
    }
  }

  public static int[] readInts(DataInput in) throws IOException {
    int length = readLength(in);
    int[] values = new int[Math.min(length, AT_ONCE)];
    fill(values, 0, in);
    while (values.length < length) {
      int known = values.length;
      values = Arrays.copyOf(values, grown(known, length));
      fill(values, known, in);
    }
    return values;
  }

  private static void fill(int[] values, int from, DataInput in) throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Integer.BYTES;
    for (int at = from; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      in.readFully(scratch, 0, n * Integer.BYTES);
      buffer.asIntBuffer().get(values, at, n);
    }
  }

  public static void writeLongs(DataOutput out, long[] values) throws IOException {
    writeLongs(out, values, values.length);
  }

  /** Writes the first {@code length} of the values. */
  public static void writeLongs(DataOutput out, long[] values, int length) throws IOException {
    out.writeInt(length);
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Long.BYTES;
    for (int at = 0; at < length; at += step) {
      int n = Math.min(step, length - at);
      buffer.asLongBuffer().put(values, at, n);
      out.write(scratch, 0, n * Long.BYTES);
    }
  }

  public static long[] readLongs(DataInput in) throws IOException {
    int length = readLength(in);
    long[] values = new long[Math.min(length, AT_ONCE)];
    fill(values, 0, in);
    while (values.length < length) {
      int known = values.length;
      values = Arrays.copyOf(values, grown(known, length));
      fill(values, known, in);
    }
    return values;
  }

  private static void fill(long[] values, int from, DataInput in) throws IOException {
    byte[] scratch = SCRATCH.get();
    ByteBuffer buffer = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
    int step = scratch.length / Long.BYTES;
    for (int at = from; at < values.length; at += step) {
      int n = Math.min(step, values.length - at);
      in.readFully(scratch, 0, n * Long.BYTES);
      buffer.asLongBuffer().get(values, at, n);
    }
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
