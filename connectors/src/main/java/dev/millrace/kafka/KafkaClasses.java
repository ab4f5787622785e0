package dev.millrace.kafka;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClient;

/**
 * Finds Kafka's own classes, such as login modules, that settings name: the jar for Flink SQL has
 * them under other names. Users write the names that Kafka gives them, or those of Flink's Kafka
 * tables, whose settings they copy.
 */
final class KafkaClasses {

  private static final String IN_KAFKA = "clients.admin";

  /** Is put together here, because a constant would be relocated with the classes. */
  private static final String AS_KAFKA_SAYS = String.join(".", "org", "apache", "kafka", "");

  private static final Pattern NAME =
      Pattern.compile(
          "(?<![\\w.])(%s)?%s"
              .formatted(
                  Pattern.quote(String.join(".", "org", "apache", "flink", "kafka", "shaded", "")),
                  Pattern.quote(AS_KAFKA_SAYS)));

  /** Here the names of Kafka's classes begin with this. */
  private static final String HERE = prefix(AdminClient.class.getPackageName());

  private KafkaClasses() {}

  /** Returns a setting's value with the names that its classes have here. */
  static String found(String value) {
    return found(value, HERE);
  }

  static String found(String value, String here) {
    return NAME.matcher(value).replaceAll(Matcher.quoteReplacement(here));
  }

  private static String prefix(String packageName) {
    return packageName.substring(0, packageName.length() - IN_KAFKA.length());
  }
}
