package dev.millrace.cli.console;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.apache.flink.core.plugin.PluginUtils;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * Flink's file systems for commands of this process: with the configuration in FLINK_CONF_DIR and
 * the plugins in FLINK_PLUGINS_DIR, such as S3, as Flink's own command line has them.
 */
public final class FileSystems {

  private static final Pattern SCHEME = Pattern.compile("scheme '([a-z0-9.+-]+)'");
  private static final int MOST_CAUSES = 20;

  private FileSystems() {}

  public static void initialize() {
    Configuration configuration =
        System.getenv("FLINK_CONF_DIR") == null
            ? new Configuration()
            : GlobalConfiguration.loadConfiguration();
    FileSystem.initialize(
        configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
  }

  /**
   * Returns what to do where no file system is known for a path; empty if something else has
   * failed.
   */
  public static Optional<String> advice(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof UnsupportedFileSystemSchemeException) {
        Matcher scheme = SCHEME.matcher(String.valueOf(cause.getMessage()));
        return scheme.find() ? Optional.of(advice(scheme.group(1))) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static String advice(String scheme) {
    String plugins = System.getenv(ConfigConstants.ENV_FLINK_PLUGINS_DIR);
    String where =
        plugins == null
            ? "and neither FLINK_PLUGINS_DIR nor FLINK_HOME says where plugins are; the folder"
                + " plugins/ of the distribution will do"
            : "and there is none for it in %s (FLINK_PLUGINS_DIR)".formatted(plugins);
    return switch (scheme) {
      case "s3", "s3a", "s3p" ->
          ("Flink reads %s:// by a plugin, %s. Put flink-s3-fs-presto-%3$s.jar or"
                  + " flink-s3-fs-hadoop-%3$s.jar into a folder of its own there, such as"
                  + " plugins/s3-fs-presto/. docs/operate/storage.md explains more")
              .formatted(scheme, where, EnvironmentInformation.getVersion());
      case "hdfs", "viewfs" ->
          ("Flink reads %s:// by Hadoop's jars, and they aren't on the class path: set"
                  + " HADOOP_CLASSPATH to what `hadoop classpath` prints. docs/operate/storage.md explains"
                  + " more")
              .formatted(scheme);
      default ->
          "Flink reads %s:// by a plugin or by Hadoop's jars, %s. docs/operate/storage.md explains more"
              .formatted(scheme, where);
    };
  }
}
