package dev.millrace.job.options;

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
}
