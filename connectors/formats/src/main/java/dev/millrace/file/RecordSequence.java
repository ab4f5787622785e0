package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Records to be sent, one after the other.
 *
 * <p>Not thread-safe.
 */
public interface RecordSequence extends AutoCloseable {

  /**
   * Goes to the next record; false at the end.
   *
   * @throws IOException if it can't be read; the message names file and line
   */
  boolean next() throws IOException;

  /** Passes over the next record; false at the end. */
  boolean skip() throws IOException;

  /** The key, or null. */
  byte[] key();

  byte[] value();

  @Override
  void close() throws IOException;

  /** Examples as a format writes them; the key is the example's id. */
  static RecordSequence of(ExampleSequence examples, ExampleFormat format) {
    Example example = new Example(examples.shape());
    return new RecordSequence() {
      @Override
      public boolean next() throws IOException {
        example.reset();
        return examples.next(example);
      }

      @Override
      public boolean skip() throws IOException {
        return examples.skip(example);
      }

      @Override
      public byte[] key() {
        return example.id() == null ? null : example.id().getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public byte[] value() {
        return format.write(example);
      }

      @Override
      public void close() throws IOException {
        examples.close();
      }
    };
  }
}
