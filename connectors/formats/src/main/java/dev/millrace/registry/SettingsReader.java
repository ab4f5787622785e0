package dev.millrace.registry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes settings of options by their last names: of several URLs one a line. */
public final class SettingsReader {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|h)");
  private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

  private final Map<String, String> options;
  private final String prefix;

  private SettingsReader(Map<String, String> options, String prefix) {
    this.options = options;
    this.prefix = prefix;
  }

  /**
   * Reads settings.
   *
   * @param prefix of their keys among the options
   * @throws IllegalArgumentException if one is wrong or the URL isn't there, saying what to do
   */
  public static RegistrySettings of(Map<String, String> options, String prefix) {
    return new SettingsReader(options, prefix).read();
  }

  private RegistrySettings read() {
    List<String> urls =
        Stream.of(text("url", "").split("\\R", -1))
            .map(String::strip)
            .filter(url -> !url.isEmpty())
            .toList();
    if (urls.isEmpty()) {
      throw new IllegalArgumentException(
          "a schema registry is needed, and none is given; give its URL, such as"
              + " http://registry:8081");
    }
    return new RegistrySettings(
        urls,
        text("user", null),
        secret("password"),
        secret("token"),
        new TlsFiles(
            text("tls.authorities", null), text("tls.certificate", null), text("tls.key", null)),
        timeout());
  }

  private String text(String key, String otherwise) {
    return options.getOrDefault(prefix + key, otherwise);
  }

  private Secret secret(String key) {
    String text = text(key, null);
    return text == null ? null : new Secret(text);
  }

  private Duration timeout() {
    String text = text("timeout", null);
    if (text == null) {
      return USUAL_TIMEOUT;
    }
    Matcher duration = DURATION.matcher(text.strip());
    if (!duration.matches()) {
      throw new IllegalArgumentException(
          "the timeout of the schema registry is \"%s\"; write it as 500 ms, 10 s or 1 min"
              .formatted(text));
    }
    long count = Long.parseLong(duration.group(1));
    return switch (duration.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "min" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }
}
