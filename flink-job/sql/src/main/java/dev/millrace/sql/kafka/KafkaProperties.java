package dev.millrace.sql.kafka;

import dev.millrace.job.options.KafkaOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.flink.table.api.ValidationException;

/** Settings of Kafka's clients in WITH, under the names that Flink's Kafka tables give them. */
public final class KafkaProperties {

  /** This stands in front of a Kafka client's own key. */
  public static final String PREFIX = "properties.";

  /** A key of a job's, and no part of a class's name. */
  private static final Pattern KEY_OF_A_JOB =
      Pattern.compile("(?<![\\w.])" + Pattern.quote(KafkaOptions.PREFIX) + "(?=[a-z*])");

  private KafkaProperties() {}

  /**
   * Requires that no setting has the name that it has in a job's options.
   *
   * @throws ValidationException naming both
   */
  public static void requireNames(Map<String, String> with) {
    for (String key : new TreeMap<>(with).keySet()) {
      if (key.startsWith(KafkaOptions.PREFIX)) {
        throw new ValidationException(
            "'%s' is called '%s' in SQL, as in Flink's Kafka tables; write that"
                .formatted(key, inSql(key)));
      }
    }
  }

  /** Returns options of a job: those of Kafka have the names that they have there. */
  public static Map<String, String> ofJob(Map<String, String> with) {
    Map<String, String> options = new TreeMap<>();
    with.forEach(
        (key, value) ->
            options.put(
                key.startsWith(PREFIX) ? KafkaOptions.PREFIX + key.substring(PREFIX.length()) : key,
                value));
    return options;
  }

  /** Returns a message about a job's options with the names that they have in SQL. */
  public static String inSql(String message) {
    return KEY_OF_A_JOB.matcher(message).replaceAll(PREFIX);
  }
}
