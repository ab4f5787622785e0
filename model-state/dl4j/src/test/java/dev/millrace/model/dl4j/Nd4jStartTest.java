package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.LockedDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class Nd4jStartTest {

  @TempDir private Path directory;

  /** What another process runs. */
  public static void main(String[] arguments) {
    Nd4jRuntime.start();
    System.out.println("loaded");
  }

  /** A library that one process maps while another one writes it would end the first. */
  @Test
  void oneProcessUnpacksAtATime() throws Exception {
    try (LockedDirectory locked = LockedDirectory.of(directory)) {
      locked.waiting(Nd4jStartTest.class);
      assertThat(directory).isDirectoryNotContaining(Files::isDirectory);

      assertThat(locked.released()).contains("loaded");
    }
    assertThat(directory).isDirectoryRecursivelyContaining("glob:**.so*");
  }
}
