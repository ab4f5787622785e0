package dev.millrace.dl4j.source;

import java.util.regex.Pattern;

/** The order of files that are numbered without zeros in front: {@code dataset_9} before 10. */
final class FileOrder {

  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private FileOrder() {}

  /** Returns what orders a name among others: its numbers have as many digits as any. */
  static String key(String name) {
    return DIGITS
        .matcher(name)
        .replaceAll(
            number -> "0".repeat(Math.max(0, 20 - number.group().length())) + number.group());
  }
}
