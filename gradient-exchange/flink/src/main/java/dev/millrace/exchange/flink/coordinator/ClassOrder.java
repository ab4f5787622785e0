package dev.millrace.exchange.flink.coordinator;

import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/**
 * The names of a model's classes in the order of their numbers, as the options say that are kept
 * with the model. Only they tell which class an output is: under another order a model fits, and
 * means other classes.
 */
public final class ClassOrder {

  /** Key of the option that names them. */
  public static final String KEY = "input.classes";

  private static final ConfigOption<List<String>> OPTION =
      ConfigOptions.key(KEY).stringType().asList().defaultValues();

  private ClassOrder() {}

  /** The names in a job's options; none where classes are numbers. */
  public static List<String> in(Map<String, String> options) {
    return Configuration.fromMap(options).get(OPTION);
  }

  /** Whether both number classes alike, as far as is known: who has no names fits all. */
  public static boolean agree(List<String> one, List<String> other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }
}
