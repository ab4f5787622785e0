package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.Texts;
import java.io.EOFException;
import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * The bytes of one value, read by Avro's decoder. What that one believes is checked here before
 * memory or time is spent on it: lengths, numbers of items, and how deep they are nested.
 *
 * <p>Not thread-safe.
 */
final class AvroInput {

  private static final int DEEPEST = 64;

  /** Items that take no bytes, such as nulls, are bounded by this alone. */
  private static final int ITEMS_WITHOUT_BYTES = 1024;

  /** Values of records: a byte may stand in some records that are nested and hold nothing else. */
  private static final int VALUES_PER_ITEM = 16;

  private final Texts texts = new Texts();
  private BinaryDecoder decoder;
  private byte[] value;
  private long items;
  private long recordValues;
  private int depth;

  /** Reads a part of a value. */
  interface Part {
    void read() throws IOException, InvalidExampleException;
  }

  /**
   * Reads a record.
   *
   * @param from where it begins in the value
   * @param record reads it from here
   * @throws InvalidExampleException if the bytes aren't exactly one record of the schema
   */
  void readWhole(byte[] newValue, int from, Part record) throws InvalidExampleException {
    begin(newValue, from);
    try {
      record.read();
      requireEnd();
    } catch (InvalidExampleException e) {
      throw notAvro(e.getMessage());
    } catch (EOFException e) {
      throw notAvro("it ends within the record");
    } catch (IOException | RuntimeException e) {
      throw notAvro("a value expected that the schema has there, other bytes found");
    }
  }

  private InvalidExampleException notAvro(String reason) {
    return new InvalidExampleException(
        "not Avro of the writer's schema at byte %s: %s".formatted(bytesRead(), reason));
  }

  private void begin(byte[] newValue, int from) {
    value = newValue;
    decoder = DecoderFactory.get().binaryDecoder(newValue, from, newValue.length - from, decoder);
    items = newValue.length + (long) ITEMS_WITHOUT_BYTES;
    recordValues = items * VALUES_PER_ITEM;
    depth = 0;
  }

  private void requireEnd() throws IOException, InvalidExampleException {
    if (!decoder.isEnd()) {
      throw new InvalidExampleException("the value continues after the record");
    }
  }

  /** Returns how much of the value is read. */
  int position() throws IOException {
    return value.length - rest();
  }

  /** Returns how much of the value is read, for a reason and whatever state the bytes are in. */
  private int bytesRead() {
    try {
      return Math.min(value.length, position());
    } catch (IOException e) {
      return value.length;
    }
  }

  private int rest() throws IOException {
    return decoder.inputStream().available();
  }

  byte[] value() {
    return value;
  }

  /**
   * A record begins. Its values are counted, because records of nothing take no bytes: a schema
   * could make a tree of them that no time suffices to walk.
   */
  void enterRecord(int values) throws InvalidExampleException {
    enter();
    recordValues -= values;
    if (recordValues < 0) {
      throw new InvalidExampleException("more values in records than its bytes can hold");
    }
  }

  /** A record, an array or a map begins. */
  void enter() throws InvalidExampleException {
    if (++depth > DEEPEST) {
      throw new InvalidExampleException(
          "records, arrays and maps nested deeper than %s levels".formatted(DEEPEST));
    }
  }

  void leave() {
    depth--;
  }

  int readInt() throws IOException {
    return decoder.readInt();
  }

  long readLong() throws IOException {
    return decoder.readLong();
  }

  float readFloat() throws IOException {
    return decoder.readFloat();
  }

  double readDouble() throws IOException {
    return decoder.readDouble();
  }

  boolean readBoolean() throws IOException, InvalidExampleException {
    int at = position();
    boolean read = decoder.readBoolean();
    if (value[at] != 0 && value[at] != 1) {
      throw new InvalidExampleException(
          "a boolean of 0 or 1 expected, %s found".formatted(value[at]));
    }
    return read;
  }

  /**
   * The number of a union's branch or of an enum's symbol.
   *
   * @param count how many there are
   */
  int readChoice(int count, String what) throws IOException, InvalidExampleException {
    int choice = decoder.readInt();
    if (choice < 0 || choice >= count) {
      throw new InvalidExampleException(
          "%s %s expected to be from 0 to %s".formatted(what, choice, count - 1));
    }
    return choice;
  }

  String readText() throws IOException, InvalidExampleException {
    int length = readLength();
    int from = position();
    decoder.skipFixed(length);
    return texts.of(value, from, from + length);
  }

  /** The length of bytes or of a text, which are still to be read or skipped. */
  int readLength() throws IOException, InvalidExampleException {
    long length = decoder.readLong();
    if (length < 0 || length > rest()) {
      throw new InvalidExampleException(
          "a length of %s, where %s bytes are left".formatted(length, rest()));
    }
    return (int) length;
  }

  void skip(int length) throws IOException, InvalidExampleException {
    if (length > rest()) {
      throw new InvalidExampleException("%s bytes expected, %s are left".formatted(length, rest()));
    }
    decoder.skipFixed(length);
  }

  /** The number of items in the next block of an array or a map; 0 at its end. */
  long readBlock() throws IOException, InvalidExampleException {
    long count = decoder.readLong();
    if (count < 0) {
      // The block's length in bytes follows, for those who skip it.
      decoder.readLong();
      count = -count;
    }
    items -= count;
    if (count < 0 || items < 0) {
      throw new InvalidExampleException(
          "a block of %s items, more than the value can hold".formatted(count));
    }
    return count;
  }
}
