package dev.millrace.registry;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A password or a token, or where one is kept: {@code ${env:NAME}} for a variable of the process
 * that connects, {@code ${file:PATH}} for a file on its machine.
 */
public final class Secret implements Serializable {

  private static final Pattern PLACE = Pattern.compile("\\$\\{(env|file):([^}]+)}");

  private final String text;

  public Secret(String text) {
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * The secret itself, read anew each time.
   *
   * @throws IOException if the place doesn't have it, naming the place
   */
  String value() throws IOException {
    return value(System.getenv());
  }

  String value(Map<String, String> environment) throws IOException {
    Matcher place = PLACE.matcher(text);
    if (!place.matches()) {
      return text;
    }
    if (place.group(1).equals("file")) {
      return Files.readString(Path.of(place.group(2))).strip();
    }
    String value = environment.get(place.group(2));
    if (value == null) {
      throw new IOException(
          "the environment of this process has no variable %s; set it".formatted(place.group(2)));
    }
    return value;
  }

  /** Names the place, never the secret. */
  @Override
  public String toString() {
    return PLACE.matcher(text).matches() ? text : "…";
  }
}
