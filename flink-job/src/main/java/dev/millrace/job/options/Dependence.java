package dev.millrace.job.options;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * An option that acts only under a condition. Where the condition doesn't hold, whoever gives the
 * option believes that it acts, and is told that it doesn't.
 *
 * @param key of the option, or what the keys of several start with and a {@code *}
 * @param condition under which it acts
 * @param outcome what happens where it is given and the condition doesn't hold
 */
public record Dependence(String key, Condition condition, Outcome outcome) {

  /** What happens to options that hold one without effect. */
  public enum Outcome {
    /** The job isn't started. */
    REFUSED,
    /** The job is started: another command that reads the same file may use the option. */
    WARNED
  }

  public static List<Dependence> refused(Condition condition, ConfigOption<?>... options) {
    return of(condition, Outcome.REFUSED, Stream.of(options).map(ConfigOption::key));
  }

  public static List<Dependence> warned(Condition condition, ConfigOption<?>... options) {
    return of(condition, Outcome.WARNED, Stream.of(options).map(ConfigOption::key));
  }

  private static List<Dependence> of(Condition condition, Outcome outcome, Stream<String> keys) {
    return keys.map(key -> new Dependence(key, condition, outcome)).toList();
  }

  /**
   * Says which given options have no effect, a message for each.
   *
   * @param given what the user gives: values that a preset adds aren't the user's
   * @param completed the same with all that a preset adds
   */
  public static List<String> violations(
      List<Dependence> table, Outcome outcome, Configuration given, Configuration completed) {
    List<String> violations = new ArrayList<>();
    for (String key : given.keySet().stream().sorted().toList()) {
      table.stream()
          .filter(dependence -> dependence.isOf(key))
          .filter(dependence -> !dependence.condition.holds().test(completed))
          .findFirst()
          .filter(first -> first.outcome == outcome)
          .ifPresent(
              first ->
                  violations.add(
                      "%s has no effect here: it acts only %s. Leave it out, or change that"
                          .formatted(key, first.condition.text())));
    }
    return violations;
  }

  private boolean isOf(String given) {
    return key.endsWith("*")
        ? given.startsWith(key.substring(0, key.length() - 1))
        : key.equals(given);
  }
}
