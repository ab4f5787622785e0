package dev.millrace.model.dl4j;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Set;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Vectors of floats in the format of {@code Nd4j.write}, from and to Java arrays in chunks. ND4J
 * itself needs each array once more in native memory, takes one call a value, and allocates
 * whatever length the bytes name.
 *
 * <p>The format is two buffers, the array's shape and its values, each behind a header: mode,
 * length, type of its elements, which are big-endian.
 */
final class ArrayBytes {

  private static final int CHUNK_FLOATS = 1 << 14;
  private static final int MOST_DIMENSIONS = 32;

  /** What a shape's buffer has besides dimensions and strides: rank, type, step and order. */
  private static final int SHAPE_EXTRAS = 4;

  private static final String FLOAT = "FLOAT";
  private static final String DOUBLE = "DOUBLE";
  private static final String LONG = "LONG";
  private static final String INT = "INT";

  private static final String MODE = "MIXED_DATA_TYPES";
  private static final Set<String> MODES = Set.of(MODE, "LONG_SHAPE");

  /** The modes of DL4J before 1.0, whose lengths are ints. */
  private static final Set<String> OLD_MODES = Set.of("DIRECT", "HEAP", "JAVACPP");

  private record Header(long length, String type) {}

  private ArrayBytes() {}

  /** Writes the {@code length} values from index {@code from} as an array of one dimension. */
  static void write(float[] values, int from, int length, DataOutputStream out) throws IOException {
    Nd4j.getShapeInfoProvider()
        .createShapeInformation(new long[] {length}, new long[] {1}, 1, 'c', DataType.FLOAT, false)
        .getFirst()
        .write(out);
    out.writeUTF(MODE);
    out.writeLong(length);
    out.writeUTF(FLOAT);
    byte[] chunk = new byte[CHUNK_FLOATS * Float.BYTES];
    FloatBuffer floats = ByteBuffer.wrap(chunk).order(ByteOrder.BIG_ENDIAN).asFloatBuffer();
    for (int done = 0; done < length; done += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, length - done);
      floats.clear().put(values, from + done, count);
      out.write(chunk, 0, count * Float.BYTES);
    }
  }

  /**
   * Reads what stands before an array's values.
   *
   * @return how many values follow
   * @throws IOException if it is no array of floats
   */
  static int readLength(DataInputStream in) throws IOException {
    Header values = readHeaders(in);
    if (!values.type().equals(FLOAT)) {
      throw new IOException(
          "it holds values of type %s, not FLOAT; convert the network with convertDataType(DataType.FLOAT)"
              .formatted(values.type()));
    }
    return (int) values.length();
  }

  /** Reads the values that follow {@link #readLength}. */
  static void readValues(DataInputStream in, float[] target, int from, int length)
      throws IOException {
    byte[] chunk = new byte[CHUNK_FLOATS * Float.BYTES];
    FloatBuffer floats = ByteBuffer.wrap(chunk).order(ByteOrder.BIG_ENDIAN).asFloatBuffer();
    for (int done = 0; done < length; done += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, length - done);
      in.readFully(chunk, 0, count * Float.BYTES);
      floats.clear().get(target, from + done, count);
    }
  }

  /**
   * Reads a whole array of floats or doubles, which become floats.
   *
   * @param most values that it may have: memory is taken for no more
   * @throws IOException if it has more, or is no such array
   */
  static float[] read(DataInputStream in, int most) throws IOException {
    Header header = readHeaders(in);
    if (header.length() > most) {
      throw new IOException(
          "it says that %s values follow, and at most %s do".formatted(header.length(), most));
    }
    float[] values = new float[(int) header.length()];
    if (header.type().equals(FLOAT)) {
      readValues(in, values, 0, values.length);
    } else if (header.type().equals(DOUBLE)) {
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) in.readDouble();
      }
    } else {
      throw new IOException(
          "it holds values of type %s, neither FLOAT nor DOUBLE".formatted(header.type()));
    }
    return values;
  }

  /**
   * Reads the headers of shape and values, and returns that of the values, which fit into a Java
   * array.
   */
  private static Header readHeaders(DataInputStream in) throws IOException {
    long expected = readShape(in);
    Header values = readHeader(in);
    if (values.length() != expected) {
      throw new IOException(
          "its shape has %s values, and %s follow".formatted(expected, values.length()));
    }
    return values;
  }

  private static long readShape(DataInputStream in) throws IOException {
    Header header = readHeader(in);
    boolean isLong = header.type().equals(LONG);
    if (!isLong && !header.type().equals(INT)) {
      throw new IOException("it is no array of ND4J's: its shape is of type " + header.type());
    }
    long rank = isLong ? in.readLong() : in.readInt();
    if (rank < 0 || rank > MOST_DIMENSIONS || header.length() != 2 * rank + SHAPE_EXTRAS) {
      throw new IOException("it is no array of ND4J's: it has %s dimensions".formatted(rank));
    }
    long values = 1;
    for (int dimension = 0; dimension < rank; dimension++) {
      long size = isLong ? in.readLong() : in.readInt();
      if (size < 0 || size > Integer.MAX_VALUE) {
        throw new IOException("it is no array of ND4J's: a dimension is " + size);
      }
      values *= size;
      if (values > Integer.MAX_VALUE) {
        throw new IOException("its shape has more than %s values".formatted(Integer.MAX_VALUE));
      }
    }
    in.skipNBytes((rank + SHAPE_EXTRAS - 1) * (isLong ? Long.BYTES : Integer.BYTES));
    return values;
  }

  private static Header readHeader(DataInputStream in) throws IOException {
    String mode = in.readUTF();
    boolean isOld = OLD_MODES.contains(mode);
    if (!isOld && !MODES.contains(mode)) {
      throw new IOException("it is no array of ND4J's");
    }
    long length = isOld ? in.readInt() : in.readLong();
    return new Header(length, in.readUTF());
  }
}
