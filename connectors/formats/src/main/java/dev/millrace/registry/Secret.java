package dev.millrace.registry;

import java.io.IOException;
import java.io.Serializable;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A password or a token, or where one is kept: {@code ${env:NAME}} for a variable of the process
 * that connects, {@code ${file:PATH}} for a file on its machine. Space around it is no part of it.
 */
public final class Secret implements Serializable {

  private static final Pattern PLACE = Pattern.compile("\\$\\{(env|file):([^}]+)}");

  private final String text;

  public Secret(String text) {
    this.text = bare(Objects.requireNonNull(text, "text"));
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
      return bare(Files.readString(Path.of(place.group(2))));
    }
    String value = environment.get(place.group(2));
    if (value == null) {
      throw new IOException(
          "the environment of this process has no variable %s; set it".formatted(place.group(2)));
    }
    return bare(value);
  }

  /** Takes off what editors and shells add: line feeds, other space, a byte order mark. */
  public static String bare(String secret) {
    return secret.replace("\ufeff", "").strip();
  }

  /**
   * Adds the header that authorizes a request.
   *
   * @param what it has, for a message: {@code the token ${env:TOKEN}}
   * @throws IOException if no header takes the value, which the message doesn't tell
   */
  public static void authorize(HttpRequest.Builder request, String value, String what)
      throws IOException {
    try {
      request.header("Authorization", value);
    } catch (IllegalArgumentException e) {
      // Its message has the value, so it goes no further.
      throw new IOException(
          "%s has a line feed or another character that no header takes; correct it"
              .formatted(what));
    }
  }

  /** Names the place, never the secret. */
  @Override
  public String toString() {
    return PLACE.matcher(text).matches() ? text : "…";
  }
}
