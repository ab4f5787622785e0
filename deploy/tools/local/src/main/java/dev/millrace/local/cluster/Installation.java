package dev.millrace.local.cluster;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What is installed.
 *
 * @param home the distribution
 * @param flinkClassPath the jars of Flink
 */
public record Installation(Path home, String flinkClassPath) {

  private static final String HOME_PROPERTY = "millrace.home";
  private static final String FLINK_PROPERTY = "millrace.flink.classpath";

  /** Names the place of engines, for whoever loads them. */
  static final String ENGINES_VARIABLE = "MILLRACE_ENGINES";

  /** Returns the installation as {@code bin/millrace} tells by system properties. */
  public static Installation ofThisProcess() {
    String home = System.getProperty(HOME_PROPERTY);
    String flink = System.getProperty(FLINK_PROPERTY);
    if (home == null || flink == null) {
      throw new ClusterException("Clusters and brokers are started by bin/millrace");
    }
    return new Installation(Path.of(home), flink);
  }

  /** Has a folder with jars for each engine. */
  Path engines() {
    String given = System.getenv(ENGINES_VARIABLE);
    return given == null ? home.resolve("engines") : Path.of(given).toAbsolutePath();
  }

  /** The jars of Flink, and the guard of its REST interface. */
  String jobManagerClassPath() {
    return home.resolve("opt").resolve("rest").resolve("*") + ":" + flinkClassPath;
  }

  /**
   * Returns the jars of a Kafka broker.
   *
   * @throws ClusterException if the distribution has none
   */
  public String brokerClassPath() {
    Path jars = home.resolve("opt").resolve("broker");
    if (!Files.isDirectory(jars)) {
      throw new ClusterException(
          "There is no Kafka broker in %s: unpack the distribution anew, or take a broker of your own"
              .formatted(jars));
    }
    return jars.resolve("*").toString();
  }

  String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  Path shippedConfiguration() {
    return home.resolve("conf").resolve("flink");
  }

  /** The jar that is submitted. */
  public Path jobJar() {
    return home.resolve("job").resolve("millrace-job.jar");
  }
}
