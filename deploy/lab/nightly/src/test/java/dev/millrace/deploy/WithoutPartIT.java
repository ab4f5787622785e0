package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Millrace builds without any of its optional parts. */
class WithoutPartIT {

  /** Takes the last commit of the checkout, as {@code deploy/lab/without} does by hand. */
  @ParameterizedTest
  @ValueSource(strings = {"rows", "replay", "drift", "forgetting", "population", "updates"})
  void buildsWithout(String part) throws Exception {
    Process build =
        new ProcessBuilder(Path.of("..", "without").toAbsolutePath().toString(), part)
            .redirectErrorStream(true)
            .start();
    build.getOutputStream().close();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(build.waitFor()).as(said).isZero();
    assertThat(said).contains("Millrace builds without %s.".formatted(part));
  }
}
