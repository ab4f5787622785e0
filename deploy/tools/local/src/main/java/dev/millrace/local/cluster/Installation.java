package dev.millrace.local.cluster;

import java.nio.file.Path;

/**
 * What is installed.
 *
 * @param home the distribution
 * @param flinkClassPath the jars of Flink
 * @param brokerClassPath a file with the jars of a Kafka broker; null where there is none
 */
public record Installation(Path home, String flinkClassPath, Path brokerClassPath) {

  private static final String HOME_PROPERTY = "millrace.home";
  private static final String FLINK_PROPERTY = "millrace.flink.classpath";

  /** Names the place of engines, for whoever loads them. */
  static final String ENGINES_VARIABLE = "MILLRACE_ENGINES";

  /** Set by {@code deploy/bin/millrace}: the file that holds the broker's class path. */
  public static final String BROKER_PROPERTY = "millrace.broker.classpath";

  /** Returns the installation as {@code bin/millrace} tells by system properties. */
  public static Installation ofThisProcess() {
    String home = System.getProperty(HOME_PROPERTY);
    String flink = System.getProperty(FLINK_PROPERTY);
    if (home == null || flink == null) {
      throw new ClusterException("Clusters are started by bin/millrace cluster");
    }
    String broker = System.getProperty(BROKER_PROPERTY);
    return new Installation(Path.of(home), flink, broker == null ? null : Path.of(broker));
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
