package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.millrace.model.io.Reason;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The records of a text file, UTF-8, plain or compressed with gzip: one a line, or the elements of
 * one JSON array, or JSON objects over several lines. Blank lines are passed over.
 *
 * <p>Not thread-safe.
 */
public final class RecordTexts implements Closeable {

  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final BufferedReader reader;

  /** Null where a record is a line. */
  private final JsonParser parserOrNull;

  private byte[] record;
  private long line;

  private RecordTexts(Path file, BufferedReader reader, JsonParser parserOrNull) {
    this.file = file;
    this.reader = reader;
    this.parserOrNull = parserOrNull;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it can't be read
   */
  public static RecordTexts open(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("%s: there is no such readable file".formatted(file));
    }
    boolean lines = !isOneDocument(file);
    BufferedReader reader = FileInput.text(file);
    try {
      JsonParser parser = lines ? null : JSON.createParser(reader);
      if (parser != null && parser.nextToken() != JsonToken.START_ARRAY) {
        reader.close();
        reader = FileInput.text(file);
        parser = JSON.createParser(reader);
      }
      return new RecordTexts(file, reader, parser);
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  /**
   * Whether the file has to be read as JSON, since its first record doesn't end where the first
   * line does, or is an array. A pipe can be read once only: it has lines.
   */
  private static boolean isOneDocument(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (BufferedReader reader = FileInput.text(file)) {
      String first = reader.readLine();
      while (first != null && first.isBlank()) {
        first = reader.readLine();
      }
      String begin = first == null ? "" : first.stripLeading();
      return begin.startsWith("[") || (begin.startsWith("{") && isOpen(begin));
    } catch (IOException e) {
      // Told where the records are read.
      return false;
    }
  }

  /** Whether an object is begun and not ended; what isn't JSON at all is none. */
  private static boolean isOpen(String line) {
    try (JsonParser parser = JSON.createParser(line)) {
      parser.nextToken();
      parser.skipChildren();
      return parser.currentToken() != JsonToken.END_OBJECT;
    } catch (JsonEOFException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Goes to the next record; false at the end.
   *
   * @throws IOException if the file can't be read, or isn't JSON any more
   */
  public boolean next() throws IOException {
    try {
      return parserOrNull == null ? nextLine() : nextElement();
    } catch (CharacterCodingException e) {
      throw new IOException(
          "%s is not UTF-8, at line %s or some lines after it; convert it".formatted(file, line),
          e);
    } catch (JsonEOFException e) {
      throw new IOException(
          "%s, line %s: it is no JSON: it ends early".formatted(file, e.getLocation().getLineNr()),
          e);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s, line %s: it is no JSON: what is at column %s can't be parsed"
              .formatted(file, e.getLocation().getLineNr(), e.getLocation().getColumnNr()),
          e);
    } catch (IOException e) {
      throw new IOException(
          "Can't read %s after line %s: %s".formatted(file, Math.max(0, line - 1), Reason.of(e)),
          e);
    }
  }

  private boolean nextLine() throws IOException {
    String text;
    do {
      line++;
      text = reader.readLine();
    } while (text != null && text.isBlank());
    record = text == null ? null : text.getBytes(UTF_8);
    return text != null;
  }

  private boolean nextElement() throws IOException {
    JsonToken token = parserOrNull.nextToken();
    line = parserOrNull.currentTokenLocation().getLineNr();
    if (token == JsonToken.END_ARRAY) {
      token = parserOrNull.nextToken();
      if (token != null) {
        throw new IOException("nothing expected after the array, more found");
      }
    }
    if (token == null) {
      return false;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      generator.copyCurrentStructureExact(parserOrNull);
    }
    record = out.toByteArray();
    return true;
  }

  /** The record, in UTF-8. */
  public byte[] record() {
    return record;
  }

  /** Returns where it begins, counted from 1. */
  public long line() {
    return line;
  }

  public Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
