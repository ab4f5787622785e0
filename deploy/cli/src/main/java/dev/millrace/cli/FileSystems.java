package dev.millrace.cli;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;

/**
 * Flink's file systems for commands that run no job: with the configuration in FLINK_CONF_DIR and
 * the plugins in FLINK_PLUGINS_DIR, such as S3, as Flink's own command line has them.
 */
final class FileSystems {

  private FileSystems() {}

  static void initialize() {
    Configuration configuration =
        System.getenv("FLINK_CONF_DIR") == null
            ? new Configuration()
            : GlobalConfiguration.loadConfiguration();
    FileSystem.initialize(
        configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
  }
}
