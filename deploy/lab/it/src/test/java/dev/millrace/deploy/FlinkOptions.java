package dev.millrace.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.flink.annotation.docs.Documentation.SuffixOption;
import org.apache.flink.client.cli.ArtifactFetchOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.kubernetes.configuration.KubernetesConfigOptions;

/** Every option of Flink itself and of Flink on Kubernetes, as Flink's own classes declare them. */
final class FlinkOptions {

  /** One class of each jar that is searched. */
  private static final List<Class<?>> IN_JARS =
      List.of(JobManagerOptions.class, KubernetesConfigOptions.class, ArtifactFetchOptions.class);

  /** Handed by their prefix to the S3 client of the plugin, so no class declares them. */
  private static final List<String> OF_S3_CLIENT = List.of("s3.endpoint", "s3.path.style.access");

  /** What follows is the name of an environment variable. */
  private static final List<String> OF_ENVIRONMENT =
      List.of(
          ResourceManagerOptions.CONTAINERIZED_MASTER_ENV_PREFIX,
          ResourceManagerOptions.CONTAINERIZED_TASK_MANAGER_ENV_PREFIX);

  private static final Map<String, ConfigOption<?>> BY_KEY = new TreeMap<>();
  private static final List<Pattern> PATTERNS = new ArrayList<>();

  static {
    IN_JARS.forEach(FlinkOptions::search);
  }

  private FlinkOptions() {}

  /**
   * What is wrong with a configuration: keys that Flink doesn't know, values that it can't read.
   */
  static List<String> problems(Map<String, String> configuration) {
    Configuration all = Configuration.fromMap(configuration);
    List<String> problems = new ArrayList<>();
    for (String key : configuration.keySet()) {
      ConfigOption<?> option = BY_KEY.get(key);
      if (option != null) {
        if (!isReadable(all, option)) {
          problems.add("%s: Flink can't read '%s'".formatted(key, configuration.get(key)));
        }
      } else if (!isKnown(key)) {
        problems.add(key + " is no option of Flink");
      }
    }
    return problems;
  }

  /** Whether Flink, or the S3 client of its plugin, has an option of this key. */
  static boolean isKnown(String key) {
    return BY_KEY.containsKey(key)
        || OF_S3_CLIENT.contains(key)
        || OF_ENVIRONMENT.stream().anyMatch(key::startsWith)
        || PATTERNS.stream().anyMatch(pattern -> pattern.matcher(key).matches());
  }

  private static boolean isReadable(Configuration configuration, ConfigOption<?> option) {
    try {
      return configuration.getOptional(option).isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void search(Class<?> inJar) {
    try (JarFile jar =
        new JarFile(
            Path.of(inJar.getProtectionDomain().getCodeSource().getLocation().toURI()).toFile())) {
      jar.stream()
          .map(JarEntry::getName)
          .filter(name -> name.startsWith("org/apache/flink/") && name.endsWith("Options.class"))
          .map(name -> name.replace('/', '.').replaceFirst("\\.class$", ""))
          .forEach(FlinkOptions::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void read(String className) {
    try {
      for (Field field : Class.forName(className).getFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && ConfigOption.class.isAssignableFrom(field.getType())) {
          enter((ConfigOption<?>) field.get(null), field.getAnnotation(SuffixOption.class));
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(className, e);
    }
  }

  /** Keys with a name of the user's in them, such as metrics.reporter.NAME.factory.class. */
  private static void enter(ConfigOption<?> option, SuffixOption suffix) {
    String key = suffix == null ? option.key() : suffix.value() + "." + option.key();
    if (key.contains("<")) {
      PATTERNS.add(
          Pattern.compile(
              "\\Q" + key.replaceAll("<[^>]+>", "\\\\E[^.]+(\\\\.[^.]+)*\\\\Q") + "\\E"));
    } else {
      BY_KEY.put(key, option);
    }
  }
}
