package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A checkout that has the scripts and what they look for, with stand-ins for Maven and Java. That
 * for Java prints the folder of plugins, and its arguments.
 */
final class FakeCheckout {

  private static final Path SCRIPTS = Path.of("..", "..", "bin");

  private final Path directory;

  /**
   * Tells of a run of a script.
   *
   * @param output standard output and error
   */
  record Answer(int exitCode, String output) {}

  FakeCheckout(Path directory) throws IOException {
    this.directory = directory;
    copyScripts(deploy());
    Files.createDirectories(deploy().resolve("dist/target/filled-in"));
    Files.createFile(deploy().resolve("dist/pom.xml"));
    Files.writeString(deploy().resolve("dist/target/filled-in/VERSION"), "1");
    Files.createDirectories(home().resolve("opt/flink"));
    Files.createDirectories(home().resolve("job"));
    Files.createFile(home().resolve("job/millrace-job.jar"));
    Path jdk = Files.createDirectories(directory.resolve("jdk/bin")).getParent();
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    program(jdk.resolve("bin/java"), "echo \"plugins: $FLINK_PLUGINS_DIR\"; printf '%s\\n' \"$@\"");
    maven("exit 1");
  }

  Path deploy() {
    return directory.resolve("deploy");
  }

  /** The distribution that Maven has built. */
  Path home() {
    return deploy().resolve("dist/target/millrace-1");
  }

  static void copyScripts(Path home) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    for (String script : List.of("engine", "flink", "millrace", "common.sh")) {
      Files.copy(SCRIPTS.resolve(script), bin.resolve(script));
      assertThat(bin.resolve(script).toFile().setExecutable(true)).isTrue();
    }
  }

  void maven(String body) throws IOException {
    program(Files.createDirectories(directory.resolve("path")).resolve("mvn"), body);
  }

  static void program(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** Runs a script of the checkout. */
  Answer run(Map<String, String> environment, String script, String... words)
      throws IOException, InterruptedException {
    return run(environment, deploy().resolve("bin").resolve(script), words);
  }

  Answer run(Map<String, String> environment, Path script, String... words)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of(script.toString()), Stream.of(words)).toList())
            .directory(directory.toFile())
            .redirectErrorStream(true);
    Map<String, String> all = builder.environment();
    all.keySet().removeIf(name -> name.matches("(FLINK|HADOOP|MILLRACE)_.*"));
    all.merge(
        "PATH",
        directory.resolve("path").toString(),
        (path, own) -> own + File.pathSeparator + path);
    all.put("JAVA_HOME", directory.resolve("jdk").toString());
    all.putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), output);
  }
}
