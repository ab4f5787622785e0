package dev.millrace.job.evaluate.setup;

import dev.millrace.job.options.InvalidOptionsException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * What is evaluated, and where that is written: what no training job has an option for.
 *
 * @param model an archive, or a directory of snapshots
 * @param data as {@link EvaluationSetup} reads it
 * @param json where the measures go
 */
public record EvaluationArguments(String model, String data, String json) {

  private static final List<String> KEYS = List.of("model", "data", "json");

  /**
   * Takes the arguments out of options.
   *
   * @throws InvalidOptionsException if one is missing
   */
  public static EvaluationArguments takeFrom(Configuration options) {
    List<String> values = new ArrayList<>();
    for (String key : KEYS) {
      values.add(options.toMap().get(key));
      options.removeKey(key);
    }
    EvaluationArguments arguments =
        new EvaluationArguments(values.get(0), values.get(1), values.get(2));
    List<String> problems = new ArrayList<>();
    if (arguments.model == null) {
      problems.add("--model is missing; it names an archive or a directory of snapshots");
    }
    if (arguments.data == null) {
      problems.add("--data is missing; it is " + DataChoice.KINDS);
    }
    if (arguments.json == null) {
      problems.add("--json is missing; it names the file that is written");
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    return arguments;
  }

  /** A place as a URI: a path of this machine where it has no scheme. */
  public static String uri(String place) {
    return hasScheme(place)
        ? place
        : Path.of(place).toAbsolutePath().normalize().toUri().toString();
  }

  /** Whether it says itself which file system it is of. */
  public static boolean hasScheme(String place) {
    return place.matches("[a-zA-Z][a-zA-Z0-9+.-]+:/.*") && URI.create(place).getScheme() != null;
  }
}
