package dev.millrace.benchmark.stack;

import dev.millrace.local.cluster.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The checkout that is measured, as its build has made it: where its scripts and class paths are.
 *
 * @param root absolute
 */
public record Checkout(Path root) {

  public Checkout {
    if (!Files.isExecutable(root.resolve("deploy/bin/millrace"))) {
      throw new IllegalArgumentException(
          root + " is no checkout of Millrace; start the benchmark by deploy/lab/benchmark/run");
    }
  }

  String millrace() {
    return root.resolve("deploy/bin/millrace").toString();
  }

  String flink() {
    return root.resolve("deploy/bin/flink").toString();
  }

  /** The jar that a cluster is given. */
  Path jobJar() {
    return distribution().resolve("job/millrace-job.jar");
  }

  /** Returns what {@code bin/millrace} runs here. */
  Installation installation() {
    return new Installation(distribution(), distribution().resolve("opt/flink") + "/*");
  }

  private Path distribution() {
    return only("deploy/dist/target", "millrace-*");
  }

  /** This module's own jar, which brings the engine that learns nothing. */
  Path benchmarkJar() {
    return only("deploy/lab/benchmark/target", "millrace-benchmark-*.jar");
  }

  /** Returns the class path that a JVM needs to run a module's main class. */
  public String classPath(String module) {
    Path target = root.resolve(module).resolve("target");
    return target.resolve("classes") + ":" + Text.read(target.resolve("classpath")).strip();
  }

  private Path only(String directory, String glob) {
    try (var found = Files.newDirectoryStream(root.resolve(directory), glob)) {
      for (Path path : found) {
        if (Files.isDirectory(path) || path.toString().endsWith(".jar")) {
          return path;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(
        "There is no %s in %s; start the benchmark by deploy/lab/benchmark/run, which builds it"
            .formatted(glob, root.resolve(directory)));
  }
}
