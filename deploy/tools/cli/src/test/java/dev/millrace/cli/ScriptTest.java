package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@DisabledOnOs(OS.WINDOWS)
class ScriptTest {

  private static final Path SCRIPTS = Path.of("..", "..", "bin");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"millrace", "flink", "engine", "common.sh"})
  void scriptsParse(String name) throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "-n", SCRIPTS.resolve(name).toString())
            .redirectErrorStream(true)
            .start();
    String complaints = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(bash.waitFor()).as(complaints).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"millrace", "flink", "engine", "chaos", "simulate"})
  void commandsAreExecutable(String name) {
    assertThat(Files.isExecutable(SCRIPTS.resolve(name))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"11.0.25, true", "1.8.0_432, true", "11.0.25, false", "16-ea, false"})
  void anOlderJdkIsRefused(String version, boolean inFile) throws Exception {
    Path jdk = jdk(version, inFile);

    assertThat(run(jdk, Map.of(), "options"))
        .containsExactly(
            "Millrace needs a JDK 17 or newer, and %s/bin/java is of version %s: install one, or set"
                    .formatted(jdk, version)
                + " JAVA_HOME");
  }

  /** Else no file whose name isn't ASCII is found. */
  @ParameterizedTest
  @CsvSource({
    "LC_ALL, C, C.UTF-8/",
    "LC_ALL, POSIX, C.UTF-8/",
    "LANG, C, /C.UTF-8",
    "LANG, en_US.UTF-8, /",
    "UNSET, '', /C.UTF-8"
  })
  void lettersThatAreNotAsciiPassWithoutALocale(String variable, String locale, String used)
      throws Exception {
    Path jdk = jdk("11", false);
    run(jdk, Map.of(variable, locale), "options");

    assertThat(jdk.resolve("bin/java.locale")).hasContent(used);
  }

  /** A JDK that tells its version, writes down the locale that it is started with, and no more. */
  private Path jdk(String version, boolean inFile) throws IOException {
    Path jdk = directory.resolve("jdk");
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        echo "$LC_ALL/$LC_CTYPE" > "$0.locale"
        echo 'openjdk version "%s"' >&2
        """
            .formatted(version));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    if (inFile) {
      Files.writeString(
          jdk.resolve("release"), "A=\"1\"\nJAVA_VERSION=\"%s\"\n".formatted(version));
    }
    return jdk;
  }

  private static List<String> run(Path jdk, Map<String, String> locale, String command)
      throws IOException, InterruptedException {
    ProcessBuilder script =
        new ProcessBuilder("bash", SCRIPTS.resolve("millrace").toString(), command)
            .redirectErrorStream(true);
    script.environment().keySet().removeAll(List.of("LC_ALL", "LC_CTYPE", "LANG"));
    script.environment().put("JAVA_HOME", jdk.toString());
    script.environment().putAll(locale);
    Process bash = script.start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isEqualTo(1);
    return said.lines().toList();
  }

  /** Else its warnings would go to a log file in the current directory. */
  @Test
  void commandsWithoutAWorkDirectoryLogToTheScreen() throws IOException {
    String script = Files.readString(SCRIPTS.resolve("millrace"));

    Matcher listed = Pattern.compile("  ([a-z |]+)\\) logging=log4j2-screen").matcher(script);

    assertThat(listed.find()).isTrue();
    assertThat(listed.group(1).split(" \\| ", -1)).hasSameElementsAs(withoutWorkDirectory());
  }

  private static List<String> withoutWorkDirectory() {
    return MillraceCli.commandLine().getSubcommands().entrySet().stream()
        .filter(command -> !command.getKey().equals("help"))
        .filter(command -> !hasWorkDirectory(command.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean hasWorkDirectory(CommandLine command) {
    return command.getCommandSpec().findOption("--work-dir") != null;
  }
}
