package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonObjects;
import dev.millrace.fields.FieldPath;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Finds a few fields in JSON objects, and reads each object to its end: one that it has read is
 * sound as a whole.
 *
 * <p>Not thread-safe.
 */
final class JsonObject implements Serializable {

  private static final int MAX_FIELDS = Long.SIZE;

  /** What a field holds. */
  enum Kind {
    MISSING,
    NULL,
    TEXT,
    WHOLE_NUMBER,
    NUMBER,
    BOOLEAN,
    ARRAY,
    OBJECT
  }

  private final List<FieldPath> paths;
  private final Kind[] kinds;
  private final String[] texts;
  private final String[] written;

  private transient byte[] value;

  /** Reads objects in which these fields are looked for, of which there are at most 64. */
  JsonObject(List<FieldPath> paths) {
    if (paths.size() > MAX_FIELDS) {
      throw new IllegalArgumentException("At most 64 fields, not " + paths.size());
    }
    this.paths = List.copyOf(paths);
    this.kinds = new Kind[paths.size()];
    this.texts = new String[paths.size()];
    this.written = new String[paths.size()];
  }

  /**
   * Reads an object.
   *
   * @throws InvalidExampleException if it is none, or has one of the fields twice
   */
  void read(byte[] value) throws InvalidExampleException {
    Arrays.fill(kinds, Kind.MISSING);
    this.value = value;
    long all = paths.size() == MAX_FIELDS ? -1 : (1L << paths.size()) - 1;
    JsonObjects.read(value, parser -> readObject(parser, 0, all));
  }

  /** Returns what the field of this number holds. */
  Kind kind(int field) {
    return kinds[field];
  }

  /** The text, or the number as it is written. Only of a field that is one. */
  String text(int field) {
    return texts[field];
  }

  /** The field's value as it is written, quotes included. Only of a field that isn't missing. */
  String written(int field) {
    return written[field];
  }

  /**
   * Reads to an object's end.
   *
   * @param depth steps that lead to it
   * @param candidates bits of the paths that begin with these steps
   */
  private void readObject(JsonParser parser, int depth, long candidates)
      throws IOException, InvalidExampleException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      readValue(parser, depth + 1, having(candidates, depth, name));
    }
  }

  private void readArray(JsonParser parser, int depth, long candidates)
      throws IOException, InvalidExampleException {
    int place = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      readValue(parser, depth + 1, having(candidates, depth, place++));
    }
  }

  /** Returns the candidates that go on with a step. */
  private long having(long candidates, int depth, Object step) {
    long left = 0;
    for (long rest = candidates; rest != 0; rest &= rest - 1) {
      int path = Long.numberOfTrailingZeros(rest);
      List<Object> steps = paths.get(path).steps();
      if (steps.size() > depth && steps.get(depth).equals(step)) {
        left |= 1L << path;
      }
    }
    return left;
  }

  private void readValue(JsonParser parser, int depth, long candidates)
      throws IOException, InvalidExampleException {
    if (candidates == 0) {
      parser.skipChildren();
      return;
    }
    JsonToken token = parser.currentToken();
    Kind kind = kind(token);
    long start = parser.currentTokenLocation().getByteOffset();
    String text = token.isScalarValue() ? parser.getText() : null;
    if (token == JsonToken.START_OBJECT) {
      readObject(parser, depth, candidates);
    } else if (token == JsonToken.START_ARRAY) {
      readArray(parser, depth, candidates);
    }
    long end = parser.currentLocation().getByteOffset();
    for (long rest = candidates; rest != 0; rest &= rest - 1) {
      int path = Long.numberOfTrailingZeros(rest);
      if (paths.get(path).steps().size() == depth) {
        found(path, kind, text, new String(value, (int) start, (int) (end - start), UTF_8));
      }
    }
  }

  private void found(int path, Kind kind, String text, String asWritten)
      throws InvalidExampleException {
    if (kinds[path] != Kind.MISSING) {
      throw new InvalidExampleException("\"%s\" is there twice".formatted(paths.get(path)));
    }
    kinds[path] = kind;
    texts[path] = text;
    written[path] = asWritten;
  }

  private static Kind kind(JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> Kind.TEXT;
      case VALUE_NUMBER_INT -> Kind.WHOLE_NUMBER;
      case VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
      case START_ARRAY -> Kind.ARRAY;
      case START_OBJECT -> Kind.OBJECT;
      default -> Kind.NULL;
    };
  }
}
