package dev.millrace.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;

/** Flink's own plugins for S3, as the build lays them out. */
public enum Plugins {
  PRESTO,
  HADOOP;

  /** A folder as Flink's {@code plugins/} is. */
  public Path folder() {
    return Path.of("target", name().toLowerCase(java.util.Locale.ROOT)).toAbsolutePath();
  }

  /** Makes it the one that this process has. */
  public void use(Configuration flink) throws IOException {
    FileSystem.initialize(
        flink,
        new DefaultPluginManager(
            new DirectoryBasedPluginFinder(folder()).findPlugins(),
            CoreOptions.getPluginParentFirstLoaderPatterns(flink)));
  }
}
