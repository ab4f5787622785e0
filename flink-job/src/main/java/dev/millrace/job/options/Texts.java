package dev.millrace.job.options;

import dev.millrace.file.DataSpec;
import java.net.URI;
import java.net.URISyntaxException;
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

  /** Without a user: what is in a URL is in logs and messages, too. */
  static boolean isHttpUrl(String value) {
    try {
      URI uri = new URI(value);
      return uri.getHost() != null
          && uri.getUserInfo() == null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (URISyntaxException e) {
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
