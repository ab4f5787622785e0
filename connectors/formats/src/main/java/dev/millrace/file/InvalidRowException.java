package dev.millrace.file;

import java.io.IOException;
import java.nio.file.Path;

/** A row of a file is no example; the sequence can go on with the next one. */
public final class InvalidRowException extends IOException {

  private final long line;
  private final String reason;

  private InvalidRowException(String message, long line, String reason, Throwable causeOrNull) {
    super(message, causeOrNull);
    this.line = line;
    this.reason = reason;
  }

  /** Makes the exception of a row that is wrong as a whole. */
  static InvalidRowException ofRow(Path file, long line, String reason, Throwable causeOrNull) {
    return new InvalidRowException(
        "%s, line %s: %s".formatted(file, line, reason), line, reason, causeOrNull);
  }

  /** Makes the exception of a wrong column of the row, which is named in front of the reason. */
  static InvalidRowException ofColumn(Path file, long line, String column, String reason) {
    return new InvalidRowException(
        "%s, line %s, %s: %s".formatted(file, line, column, reason),
        line,
        column + ": " + reason,
        null);
  }

  /** Returns where the row begins, counted from 1. */
  public long line() {
    return line;
  }

  /** The message without file and line. */
  public String reason() {
    return reason;
  }
}
