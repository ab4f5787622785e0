package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Arrays of counts, most of which are often 0, as bytes and back. */
final class Counts {

  private Counts() {}

  static long sum(long[] counts) {
    return Arrays.stream(counts).sum();
  }

  static void add(long[] counts, long[] more) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += more[i];
    }
  }

  static void write(long[] counts, DataOutput out) throws IOException {
    out.writeInt(counts.length);
    out.writeInt((int) Arrays.stream(counts).filter(count -> count != 0).count());
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        out.writeInt(i);
        out.writeLong(counts[i]);
      }
    }
  }

  /**
   * Fills an array of zeros with what {@link #write} wrote.
   *
   * @throws IOException if it was of another length
   */
  static void read(long[] counts, DataInput in) throws IOException {
    int length = in.readInt();
    if (length != counts.length) {
      throw new IOException("%s counts, where %s belong".formatted(length, counts.length));
    }
    for (int left = in.readInt(); left > 0; left--) {
      counts[in.readInt()] = in.readLong();
    }
  }
}
