package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.millrace.model.io.Reason;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The records of a text file, UTF-8, plain or compressed with gzip: one a line, or the elements of
 * one JSON array, or JSON objects over several lines. Blank lines are passed over. A line is given
 * as it is: whoever reads the record judges it.
 *
 * <p>Not thread-safe.
 */
public final class RecordTexts implements Closeable {

  private static final JsonFactory JSON = new JsonFactory();
  private static final Pattern BRACE = Pattern.compile("\\s*\\{[ \\t\\r]*\\n");
  private static final int SOME_BYTES = 4096;

  private final Path file;
  private final InputStream in;
  private final ByteLines lines;

  /** Null where a record is a line. */
  private final JsonParser parserOrNull;

  private byte[] record;
  private long line;

  private RecordTexts(Path file, InputStream in, boolean isOneDocument) throws IOException {
    this.file = file;
    this.in = in;
    this.lines = new ByteLines(in);
    // It fails where bytes are no UTF-8: nobody knows which element they belong to.
    this.parserOrNull =
        isOneDocument ? JSON.createParser(new InputStreamReader(in, UTF_8.newDecoder())) : null;
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
    boolean isOneDocument = isOneDocument(file);
    InputStream in = FileInput.content(file);
    try {
      return new RecordTexts(file, in, isOneDocument);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Whether the file has to be read as JSON, since its first record is an array, or an object that
   * ends on a later line than it begins on. A pipe can be read once only: it has lines.
   *
   * <p>A parser looks at it, which holds no more than a part of a line: an array may be one.
   */
  private static boolean isOneDocument(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (JsonParser parser = JSON.createParser(FileInput.text(file))) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        return true;
      }
      int begin = parser.currentTokenLocation().getLineNr();
      parser.skipChildren();
      return parser.currentToken() == JsonToken.END_OBJECT
          && parser.currentTokenLocation().getLineNr() > begin;
    } catch (JsonProcessingException e) {
      return beginsAlone(file);
    } catch (IOException e) {
      // Told where the records are read.
      return false;
    }
  }

  /** Whether its first line is a brace alone: an object begins there, and is broken below. */
  private static boolean beginsAlone(Path file) throws IOException {
    try (InputStream in = FileInput.content(file)) {
      return BRACE.matcher(new String(in.readNBytes(SOME_BYTES), UTF_8)).lookingAt();
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
    do {
      line++;
      record = lines.next();
    } while (record != null && isBlank(record));
    return record != null;
  }

  private static boolean isBlank(byte[] text) {
    for (byte b : text) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  private boolean nextElement() throws IOException {
    JsonToken token = parserOrNull.nextToken();
    if (line == 0 && token == JsonToken.START_ARRAY) {
      token = parserOrNull.nextToken();
    }
    if (token == JsonToken.END_ARRAY) {
      token = parserOrNull.nextToken();
      if (token != null) {
        throw new IOException("nothing expected after the array, more found");
      }
    }
    if (token == null) {
      return false;
    }
    // Elements on one line are told apart, too: a record is known by where it begins.
    line = Math.max(line + 1, parserOrNull.currentTokenLocation().getLineNr());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JSON.createGenerator(out)) {
      generator.copyCurrentStructureExact(parserOrNull);
    }
    record = out.toByteArray();
    return true;
  }

  /** The record, in UTF-8 if the file is. */
  public byte[] record() {
    return record;
  }

  /**
   * Returns where it begins, counted from 1. Of several that begin on one line, each has the number
   * after that of the one before.
   */
  public long line() {
    return line;
  }

  public Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
