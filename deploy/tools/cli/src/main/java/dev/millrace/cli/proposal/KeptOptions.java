package dev.millrace.cli.proposal;

import dev.millrace.cli.describe.Yaml;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.SchemaRegistryOptions;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.kafka.KafkaCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;

/**
 * The options that reach a broker and a registry, as a proposal keeps them: as they were given, but
 * for a secret that was an argument. Of that the file has the name of a variable alone.
 */
final class KeptOptions {

  private static final String REGISTRY = "input.registry.";
  private static final String PROVIDERS = KafkaOptions.PREFIX + "config.providers";
  private static final String ENVIRONMENT = "env";
  private static final String ENVIRONMENT_CLASS = PROVIDERS + "." + ENVIRONMENT + ".class";

  private final Map<String, String> written = new TreeMap<>();
  private final Map<String, String> variables = new TreeMap<>();
  private final Configuration secrets = new Configuration();
  private boolean inClear;

  /**
   * Takes them.
   *
   * @param inFile keys that a file had, which may have its secrets in this one, too
   */
  KeptOptions(Configuration given, Set<String> inFile) {
    given
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(KafkaOptions.PREFIX) || key.startsWith(REGISTRY)) {
                written.put(key, kept(key, value, inFile.contains(key)));
              }
            });
    if (variables.keySet().stream().anyMatch(key -> key.startsWith(KafkaOptions.PREFIX))) {
      String providers = written.getOrDefault(PROVIDERS, ENVIRONMENT);
      written.put(
          PROVIDERS,
          List.of(providers.split("\\s*,\\s*", -1)).contains(ENVIRONMENT)
              ? providers
              : providers + "," + ENVIRONMENT);
      written.putIfAbsent(
          ENVIRONMENT_CLASS, "org.apache.kafka.common.config.provider.EnvVarConfigProvider");
    }
  }

  private String kept(String key, String value, boolean wasInFile) {
    if (!isSecret(key) || value.contains("${")) {
      return value;
    }
    if (wasInFile) {
      inClear = true;
      return value;
    }
    String variable = key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    variables.put(key, variable);
    secrets.setString(key, value);
    return "${env:%s}".formatted(variable);
  }

  private static boolean isSecret(String key) {
    return key.startsWith(KafkaOptions.PREFIX)
        ? KafkaCluster.isSecret(key.substring(KafkaOptions.PREFIX.length()))
        : MillraceOptions.named(key).map(setting -> setting.isSecret()).orElse(false);
  }

  /** Returns how the broker is reached, lines of YAML. */
  List<String> broker(String otherwise) {
    List<String> lines = new ArrayList<>();
    String servers = KafkaOptions.BOOTSTRAP_SERVERS.key();
    lines.add(servers + ": " + Yaml.text(written.getOrDefault(servers, otherwise)));
    written.forEach(
        (key, value) -> {
          if (key.startsWith(KafkaOptions.PREFIX) && !key.equals(servers)) {
            lines.add(key + ": " + Yaml.text(value));
          }
        });
    return lines;
  }

  /** Returns how the registry is reached, lines of YAML below {@code input}. */
  List<String> registry(Configuration given) {
    List<String> lines = new ArrayList<>();
    written.forEach(
        (key, value) -> {
          if (key.startsWith(REGISTRY)) {
            lines.add(
                key.substring("input.".length())
                    + ": "
                    + (key.equals(SchemaRegistryOptions.URL.key())
                        ? Yaml.list(given.get(SchemaRegistryOptions.URL))
                        : Yaml.text(value)));
          }
        });
    return lines;
  }

  /** Returns the secrets that aren't written, for this process to go on with. */
  Configuration secrets() {
    return secrets;
  }

  /** Returns the variables that must have these secrets, each with the option that it is of. */
  Map<String, String> variables() {
    return variables;
  }

  /** Whether a secret is written as it is, so that nobody else may read the file. */
  boolean haveSecret() {
    return inClear;
  }
}
