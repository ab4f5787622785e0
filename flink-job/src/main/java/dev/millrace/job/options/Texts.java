package dev.millrace.job.options;

import dev.millrace.file.DataSpec;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Rules on options that are text. */
final class Texts {

  private Texts() {}

  static boolean isPattern(String value) {
    try {
      Pattern.compile(value);
      return !value.isEmpty();
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  static boolean isDataSpec(String value) {
    try {
      DataSpec.parse(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
