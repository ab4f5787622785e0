package dev.millrace.deploy;

import dev.millrace.local.cluster.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the build has made, and where tests keep their files. */
final class Distribution {

  private static final Path HOME = Path.of(System.getProperty("millrace.distribution"));
  private static final Path DEPLOY = HOME.resolve("../..").normalize();

  private Distribution() {}

  static Installation installation() {
    try {
      return new Installation(
          HOME,
          Files.readString(DEPLOY.resolve("flink/target/classpath")).strip(),
          brokerClassPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path brokerClassPath() {
    return DEPLOY.resolve("broker/target/classpath");
  }

  static Path jobJar() {
    return HOME.resolve("job/millrace-job.jar");
  }

  static Path uberJar() {
    return HOME.resolveSibling("millrace-job-uber.jar");
  }

  static Path script(String name) {
    return DEPLOY.resolve("bin").resolve(name);
  }

  /** A new directory for one test's files, which stay for whoever looks why it failed. */
  static Path workDirectory(String name) {
    try {
      Path all = Files.createDirectories(DEPLOY.resolve("it/target/work"));
      return Files.createTempDirectory(all, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
