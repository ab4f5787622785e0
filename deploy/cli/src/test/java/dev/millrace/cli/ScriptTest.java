package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
class ScriptTest {

  private static final Path SCRIPTS = Path.of("..", "bin");

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
  @ValueSource(strings = {"millrace", "flink", "engine", "chaos"})
  void commandsAreExecutable(String name) {
    assertThat(Files.isExecutable(SCRIPTS.resolve(name))).isTrue();
  }

  /** Else its warnings would go to a log file in the current directory. */
  @ParameterizedTest
  @ValueSource(strings = {"check", "options"})
  void commandsWithoutAWorkDirectoryLogToTheScreen(String command) throws IOException {
    assertThat(Files.readString(SCRIPTS.resolve("millrace")))
        .containsPattern("[a-z| ]* " + command + " \\|[a-z| ]*\\) logging=log4j2-screen");
  }
}
