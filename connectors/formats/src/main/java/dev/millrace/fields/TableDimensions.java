package dev.millrace.fields;

import java.util.function.ToIntFunction;

/** How many values a row has where nobody says it. */
public final class TableDimensions {

  /** Values of a row. */
  public static final int DEFAULT = 16;

  static final ToIntFunction<String> USUAL = table -> DEFAULT;

  private TableDimensions() {}
}
