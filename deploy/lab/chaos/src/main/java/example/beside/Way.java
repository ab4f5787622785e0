package example.beside;

import java.util.Locale;

/** A way to train that isn't the job of Millrace's own. */
public enum Way {

  /** A program that trains on a source. */
  SOURCE,

  /** A program that trains on a stream. */
  STREAM,

  /** INSERT INTO. */
  SQL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
