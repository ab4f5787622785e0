package dev.millrace.job.join.options;

import dev.millrace.fields.FieldPath;

/** Texts that are paths of fields. */
final class JoinPaths {

  private JoinPaths() {}

  static boolean isPath(String text) {
    try {
      FieldPath.of(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
