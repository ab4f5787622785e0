package dev.millrace.benchmark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void givesTheLastLine() {
    String last =
        processes().run("two", LIMIT, List.of("sh", "-c", "echo first; echo second $WHO"));

    assertThat(last).isEqualTo("second here");
  }

  @Test
  void tellsWhatAFailedCommandSaid() {
    assertThatThrownBy(
            () -> processes().run("bad", LIMIT, List.of("sh", "-c", "echo why >&2; exit 3")))
        .isInstanceOf(BenchmarkFailure.class)
        .hasMessageContaining("bad ended with 3")
        .hasMessageContaining("why");
  }

  @Test
  void endsWhatTakesTooLong() {
    assertThatThrownBy(
            () -> processes().run("slow", Duration.ofMillis(100), List.of("sleep", "600")))
        .isInstanceOf(BenchmarkFailure.class)
        .hasMessageContaining("slow took longer than");
  }

  private ChildProcess processes() {
    return new ChildProcess(directory, Map.of("WHO", "here"));
  }
}
