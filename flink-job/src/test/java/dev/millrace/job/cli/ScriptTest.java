package dev.millrace.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class ScriptTest {

  private static final Path SCRIPT = Path.of("..", "deploy", "bin", "millrace");

  @Test
  void theScriptIsExecutableAndParses() throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "-n", SCRIPT.toString()).redirectErrorStream(true).start();
    String complaints = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(bash.waitFor()).as(complaints).isZero();
    assertThat(Files.isExecutable(SCRIPT)).isTrue();
  }
}
