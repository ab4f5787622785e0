package dev.millrace.exchange.rows;

import java.io.Serial;

/** Says that the state of a table isn't what this table has written. */
public final class DamagedRowException extends IllegalStateException {

  @Serial private static final long serialVersionUID = 1;

  DamagedRowException(String message) {
    super(message);
  }

  DamagedRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
