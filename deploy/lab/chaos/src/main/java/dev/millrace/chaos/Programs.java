package dev.millrace.chaos;

import example.beside.Program;
import example.beside.Way;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows what the build makes for jobs beside.
 *
 * @param directory of the module's build
 */
record Programs(Path directory) {

  private static final String PROPERTY = "millrace.chaos";

  /** Returns them as {@code deploy/bin/chaos} tells by a system property. */
  static Programs ofThisProcess() {
    return new Programs(Path.of(System.getProperty(PROPERTY)));
  }

  /** Returns a class path of Flink that knows tables. */
  String withTables(String flinkClassPath) {
    return flinkClassPath + File.pathSeparator + directory.resolve("table").resolve("*");
  }

  /**
   * Returns arguments of {@code flink run} that say what runs.
   *
   * @param home the distribution
   */
  List<String> arguments(Way way, Path home) throws IOException {
    List<Path> libraries = new ArrayList<>();
    if (way == Way.SQL) {
      libraries.add(home.resolve("sql").resolve("flink-sql-connector-millrace.jar"));
      libraries.add(only("connector", "flink-sql-connector-kafka-*.jar"));
    } else {
      libraries.add(home.resolve("job").resolve("millrace-job.jar"));
    }
    List<String> arguments = new ArrayList<>();
    libraries.forEach(jar -> arguments.addAll(List.of("-C", jar.toUri().toString())));
    arguments.addAll(
        List.of("-c", Program.class.getName(), only("", "millrace-chaos-*.jar").toString()));
    return arguments;
  }

  private Path only(String folder, String name) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve(folder), name)) {
      return files.iterator().next();
    }
  }
}
