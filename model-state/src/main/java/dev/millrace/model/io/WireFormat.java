package dev.millrace.model.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How values of one type become bytes, in checkpoints and between tasks. Every value is written
 * with the version of its format in front, so that bytes of older versions stay readable.
 */
public interface WireFormat<T> {

  void write(T value, DataOutput out) throws IOException;

  /**
   * Reads what {@link #write} of this or an older version wrote.
   *
   * @throws IOException if the bytes end early or are of a version that is not known here
   */
  T read(DataInput in) throws IOException;

  /** Reads a version and refuses any but those from 1 to {@code newest}. */
  static int readVersion(DataInput in, int newest, Class<?> type) throws IOException {
    int version = in.readUnsignedByte();
    if (version < 1 || version > newest) {
      throw new IOException(
          "%s has format version %s; this release reads versions 1 to %s"
              .formatted(type.getSimpleName(), version, newest));
    }
    return version;
  }
}
