package dev.millrace.cli.describe;

import dev.millrace.model.io.TemporaryFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Values of a topic, kept in a temporary file so that they can be looked at again.
 *
 * <p>Not thread-safe.
 */
public final class SpooledValues implements Closeable {

  private final Path file;
  private final DataOutputStream out;
  private long count;

  private SpooledValues(Path file, DataOutputStream out) {
    this.file = file;
    this.out = out;
  }

  /** Makes an empty file. */
  public static SpooledValues create() throws IOException {
    Path file = TemporaryFiles.file("millrace-describe", ".values");
    return new SpooledValues(
        file, new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file))));
  }

  /**
   * Keeps a value.
   *
   * @return its place, in words
   */
  public String add(byte[] value) throws IOException {
    out.writeInt(value.length);
    out.write(value);
    return place(++count);
  }

  private static String place(long number) {
    return "record %s of the sample".formatted(number);
  }

  /** The values in their order. */
  public SampledRecords open() throws IOException {
    out.flush();
    DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    long all = count;
    return new SampledRecords() {

      private long number;
      private byte[] value;

      @Override
      public boolean next() throws IOException {
        if (number == all) {
          return false;
        }
        number++;
        value = in.readNBytes(in.readInt());
        return true;
      }

      @Override
      public byte[] value() {
        return value;
      }

      @Override
      public String place() {
        return SpooledValues.place(number);
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  /** Deletes the file. */
  @Override
  public void close() throws IOException {
    out.close();
    Files.delete(file);
  }
}
