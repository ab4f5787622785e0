package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("nightly")
final class FuzzedArchivesIT {

  /** Each is tried with an example, which takes some hundredths of a second. */
  private static final int SLOWER = 20;

  @Test
  void manyArchivesAreServedOrRefused(@TempDir Path directory) throws IOException {
    assertThat(FuzzedArchivesTest.archives(directory, Fuzz.nightly() / SLOWER)).isPositive();
  }
}
