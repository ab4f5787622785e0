package dev.millrace.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/**
 * The command line in a process of its own, which finds Flink's file systems as users' do.
 *
 * @param exitCode 0 if all went well
 * @param output standard output and error
 */
record Command(int exitCode, String output) {

  /**
   * Runs it.
   *
   * @param pluginsOrNull folder of Flink's plugins
   */
  static Command run(Path directory, Configuration flink, Path pluginsOrNull, String... words)
      throws IOException, InterruptedException {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        conf.resolve("config.yaml"),
        flink.toMap().entrySet().stream()
            .map(entry -> "%s: \"%s\"%n".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining()));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add(
        "-Dorg.bytedeco.javacpp.cachedir=" + System.getProperty("org.bytedeco.javacpp.cachedir"));
    command.add("dev.millrace.cli.MillraceCli");
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    builder.environment().remove("FLINK_PLUGINS_DIR");
    if (pluginsOrNull != null) {
      builder.environment().put("FLINK_PLUGINS_DIR", pluginsOrNull.toString());
    }
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Command(process.waitFor(), output);
  }
}
