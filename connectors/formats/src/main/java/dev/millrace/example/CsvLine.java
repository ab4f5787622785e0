package dev.millrace.example;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Finds the fields of one line of separated values (RFC 4180: a field may stand in quotes, and a
 * quote in it is written twice). Space around a field is not part of it, nor are its quotes, nor is
 * a byte order mark at the start of the line.
 */
public final class CsvLine implements Serializable {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final byte separator;
  private final int[] starts;
  private final int[] ends;

  /**
   * @param capacity how many fields are kept; further ones are only counted
   */
  public CsvLine(char separator, int capacity) {
    this.separator = (byte) separator;
    this.starts = new int[capacity];
    this.ends = new int[capacity];
  }

  /** Returns where a field starts. */
  public int start(int field) {
    return starts[field];
  }

  /** Returns where a field ends, exclusive. */
  public int end(int field) {
    return ends[field];
  }

  /** The number of fields in the line, which may end with a line end and has no other. */
  public int split(byte[] line) throws InvalidExampleException {
    int end = withoutLineEnd(line);
    int fields = 0;
    int next = afterByteOrderMark(line) - 1;
    do {
      next = field(line, next + 1, end, fields++);
    } while (next < end);
    return fields;
  }

  /** Keeps the field that starts at a byte; returns where its separator is, or the line's end. */
  private int field(byte[] line, int at, int end, int number) throws InvalidExampleException {
    int from = skipSpace(line, at, end);
    if (from < end && line[from] == '"') {
      int to = closingQuote(line, from + 1, end);
      int next = skipSpace(line, to + 1, end);
      if (next < end && line[next] != separator) {
        throw new InvalidExampleException("a separator expected at byte " + next);
      }
      keep(number, from + 1, to);
      return next;
    }
    int next = from;
    while (next < end && line[next] != separator) {
      if (line[next] == '"') {
        throw new InvalidExampleException("a quote within a field without quotes at byte " + next);
      }
      if (line[next] == '\n' || line[next] == '\r') {
        throw new InvalidExampleException("one line expected, a line end found at byte " + next);
      }
      next++;
    }
    int to = next;
    while (to > from && isSpace(line[to - 1])) {
      to--;
    }
    keep(number, from, to);
    return next;
  }

  private void keep(int field, int start, int end) {
    if (field < starts.length) {
      starts[field] = start;
      ends[field] = end;
    }
  }

  private static int closingQuote(byte[] line, int from, int end) throws InvalidExampleException {
    for (int at = from; at < end; at++) {
      if (line[at] == '"') {
        if (at + 1 == end || line[at + 1] != '"') {
          return at;
        }
        at++;
      }
    }
    throw new InvalidExampleException("the quote at byte %s is not closed".formatted(from - 1));
  }

  private int skipSpace(byte[] line, int from, int end) {
    int at = from;
    while (at < end && isSpace(line[at])) {
      at++;
    }
    return at;
  }

  private boolean isSpace(byte b) {
    return (b == ' ' || b == '\t') && b != separator;
  }

  /** Programs that write files for spreadsheets begin them with one. */
  private static int afterByteOrderMark(byte[] line) {
    int length = BYTE_ORDER_MARK.length;
    boolean marked =
        line.length >= length && Arrays.equals(line, 0, length, BYTE_ORDER_MARK, 0, length);
    return marked ? length : 0;
  }

  private static int withoutLineEnd(byte[] line) {
    int end = line.length;
    if (end > 0 && line[end - 1] == '\n') {
      end--;
    }
    if (end > 0 && line[end - 1] == '\r') {
      end--;
    }
    return end;
  }
}
