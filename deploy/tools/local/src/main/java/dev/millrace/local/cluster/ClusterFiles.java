package dev.millrace.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;

/** Where a cluster keeps its files: nothing is written elsewhere, but native code. */
public record ClusterFiles(Path root) {

  private static final String PID = ".pid";

  public ClusterFiles {
    root = root.toAbsolutePath().normalize();
  }

  /** Flink's configuration, for {@code FLINK_CONF_DIR}. */
  public Path conf() {
    return root.resolve("conf");
  }

  Path config() {
    return conf().resolve("config.yaml");
  }

  Path zooKeeperConfig() {
    return conf().resolve("zoo.cfg");
  }

  Path log4j() {
    return conf().resolve("log4j.properties");
  }

  public Path logs() {
    return root.resolve("log");
  }

  public Path log(String process) {
    return logs().resolve(process + ".log");
  }

  /** Returns what a process writes to its standard outputs: usually nothing. */
  Path output(String process) {
    return logs().resolve(process + ".out");
  }

  Path pid(String process) {
    return root.resolve("run").resolve(process + PID);
  }

  /** Is there while the cluster runs. */
  Path temporary() {
    return root.resolve("tmp");
  }

  /**
   * Returns the temporary directory of one process, so that what it left can go when it is started
   * again.
   */
  Path temporary(String process) {
    return temporary().resolve(process);
  }

  void emptyTemporary(String process) throws IOException {
    FileUtils.deleteDirectory(temporary(process).toFile());
    Files.createDirectories(temporary(process));
  }

  void deleteTemporary() throws IOException {
    FileUtils.deleteDirectory(temporary().toFile());
  }

  Path broker() {
    return root.resolve("broker");
  }

  /** Returns what JobManagers that take over read: jobs, and where their checkpoints are. */
  Path recovery() {
    return root.resolve("ha");
  }

  Path zooKeeper() {
    return root.resolve("zookeeper");
  }

  /** Returns a directory as Flink takes it: a URI whose path is not encoded. */
  String uri(String directory) {
    return uri(root.resolve(directory));
  }

  static String uri(Path path) {
    return "file://" + path;
  }

  /** Names of all processes that were started and not stopped, running or not. */
  List<String> processes() throws IOException {
    Path run = root.resolve("run");
    if (!Files.isDirectory(run)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(run)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(PID))
          .map(name -> name.substring(0, name.length() - PID.length()))
          .sorted()
          .toList();
    }
  }

  /** Leaves what an earlier cluster has written, its temporary files excepted. */
  void create() throws IOException {
    deleteTemporary();
    for (Path directory : List.of(conf(), logs(), root.resolve("run"), zooKeeper())) {
      Files.createDirectories(directory);
    }
    // Flink keeps jobs there, with their options.
    OwnerOnly.directory(temporary());
    OwnerOnly.directory(recovery());
  }
}
