package dev.millrace.deploy;

import dev.millrace.local.cluster.Installation;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/** What the build has made, and where tests keep their files. */
final class Distribution {

  private static final Path HOME = Path.of(System.getProperty("millrace.distribution"));
  private static final Path DEPLOY = HOME.resolve("../../..").normalize();

  private Distribution() {}

  static Installation installation() {
    return new Installation(HOME, HOME.resolve("opt/flink/*").toString());
  }

  /** Flink with what it needs for SQL, its gateway and client too; the profile nightly makes it. */
  static Installation withSql() {
    Installation jobs = installation();
    try {
      return new Installation(
          jobs.home(),
          jobs.flinkClassPath()
              + File.pathSeparator
              + Files.readString(DEPLOY.resolve("lab/gateway/target/classpath")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flink with DL4J in its lib/, as evaluation and inference need it. */
  static Installation withDl4j() throws IOException {
    Installation jobs = installation();
    try (Stream<Path> jars = Files.list(HOME.resolve("engines/dl4j"))) {
      return new Installation(
          jobs.home(),
          Stream.concat(Stream.of(jobs.flinkClassPath()), jars.map(Path::toString))
              .collect(Collectors.joining(File.pathSeparator)));
    }
  }

  /** Programs of DL4J, compiled as tests. */
  static Path programs() {
    return DEPLOY.resolveSibling("flink-job").resolve("dl4j/target/test-classes/programs");
  }

  /** Of a server that speaks S3; the profile nightly writes it. */
  static Path objectStoreClassPath() {
    return DEPLOY.resolve("lab/s3/target/classpath");
  }

  /** Flink's configuration as it is shipped. */
  static Configuration shippedConfiguration() {
    return GlobalConfiguration.loadConfiguration(HOME.resolve("conf/flink").toString());
  }

  static Path jobJar() {
    return HOME.resolve("job/millrace-job.jar");
  }

  /** Returns the jar for Flink SQL. */
  static Path sqlJar() {
    return HOME.resolve("sql/flink-sql-connector-millrace.jar");
  }

  /** The job's jar with an engine's libraries. */
  static Path uberJar(String engine) {
    return HOME.resolveSibling("millrace-job-%s.jar".formatted(engine));
  }

  /** The distribution as one file, without what has an archive of its own. */
  static Path archive() {
    return HOME.resolveSibling(HOME.getFileName() + ".tar.gz").toAbsolutePath();
  }

  static Path script(String name) {
    return DEPLOY.resolve("bin").resolve(name);
  }

  /** A new directory for one test's files, which stay for whoever looks why it failed. */
  static Path workDirectory(String name) {
    try {
      Path all = Files.createDirectories(Path.of("target", "work").toAbsolutePath());
      return Files.createTempDirectory(all, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
