package dev.millrace.job.setup;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.OptionCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;

/**
 * Takes options from a YAML file and from the command line, where {@code --key value} and {@code
 * --key=value} override the file. Values stay as they are written; {@link OptionCheck} judges them.
 */
public final class OptionReader {

  private static final String OPTION = "--";
  private static final String FILE = "config";

  private OptionReader() {}

  /**
   * Options from arguments, among them {@code --config FILE}.
   *
   * @throws InvalidOptionsException if an argument or the file can't be read
   */
  public static Configuration read(List<String> arguments) {
    Map<String, String> overrides = fromArguments(arguments);
    String file = overrides.remove(FILE);
    return configuration(file == null ? null : Path.of(file), overrides);
  }

  /**
   * Options from arguments and a file that was named elsewhere.
   *
   * @param fileOrNull YAML; null for none
   * @throws InvalidOptionsException if an argument or the file can't be read
   */
  public static Configuration read(List<String> arguments, Path fileOrNull) {
    return configuration(fileOrNull, fromArguments(arguments));
  }

  /**
   * Options of a text, YAML, that a program made.
   *
   * @throws InvalidOptionsException if it can't be read
   */
  public static Configuration parse(String yaml) {
    return configuration(YamlOptions.parse(Path.of("a proposal"), yaml));
  }

  private static Configuration configuration(Path fileOrNull, Map<String, String> overrides) {
    Map<String, String> options =
        fileOrNull == null ? new TreeMap<>() : YamlOptions.read(fileOrNull);
    options.putAll(overrides);
    return configuration(options);
  }

  /** Turns keys and values into a configuration; commas separate a list's elements like ; does. */
  public static Configuration configuration(Map<String, String> options) {
    Configuration configuration = new Configuration();
    options.forEach(
        (key, value) ->
            configuration.setString(
                key,
                key.equals(InputOptions.FIELDS.key())
                    ? YamlOptions.fields(value)
                    : normalized(key, value)));
    return configuration;
  }

  private static Map<String, String> fromArguments(List<String> arguments) {
    Map<String, String> options = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith(OPTION) || argument.equals(OPTION)) {
        problems.add("'%s' is not an option; options are written --key value".formatted(argument));
        continue;
      }
      int equals = argument.indexOf('=');
      if (equals >= 0) {
        options.put(argument.substring(OPTION.length(), equals), argument.substring(equals + 1));
      } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith(OPTION)) {
        options.put(argument.substring(OPTION.length()), arguments.get(++i));
      } else {
        problems.add("%s has no value; options are written --key value".formatted(argument));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    return options;
  }

  /** Shells read ; as the end of a command, so lists may be written with commas too. */
  private static String normalized(String key, String value) {
    boolean commas =
        value.indexOf(',') >= 0 && value.indexOf(';') < 0 && !value.matches("(?s)['\\[].*");
    return commas && isList(key) ? value.replaceAll("\\s*,\\s*", ";") : value;
  }

  private static boolean isList(String key) {
    return MillraceOptions.named(key).map(setting -> setting.range().isList()).orElse(false);
  }
}
