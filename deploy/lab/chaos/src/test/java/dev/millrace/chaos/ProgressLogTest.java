package dev.millrace.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressLogTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path directory;

  private Path file;
  private ProgressLog progress;

  @BeforeEach
  void open() throws IOException {
    file = directory.resolve("metrics.jsonl");
    progress = new ProgressLog(file);
  }

  @Test
  void awaitsWhatIsWanted() throws Exception {
    tell(1, 100, 0);
    tell(2, 200, 0);
    tell(3, 300, 0);

    assertThat(progress.await("200", LONG, p -> p.examples() >= 200).round()).isEqualTo(2);
  }

  @Test
  void saysWhatDidNotHappen() throws Exception {
    tell(7, 1_500, 0);

    assertThatThrownBy(() -> progress.await("All of it", SHORT, p -> p.examples() > 9_000))
        .isInstanceOf(ChaosException.class)
        .hasMessage(
            "All of it didn't happen within 0 s; the job was at version 0.7, with 1,500 examples");
  }

  @Test
  void recordsAreThereWhenLearnedOrRejected() throws Exception {
    tell(1, 90, 10);

    assertThat(progress.awaitRecords(100, LONG)).isTrue();
  }

  @Test
  void aJobThatIsSilentWillNotTakeWhatItLacks() throws Exception {
    tell(1, 90, 9);

    assertThat(progress.awaitRecords(100, SHORT)).isFalse();
  }

  private void tell(long round, long examples, long rejected) throws IOException {
    Files.writeString(
        file,
        """
        {"type": "progress", "time": 1, "generation": 0, "round": %s, "examples": %s, "rejected": %s}
        """
            .formatted(round, examples, rejected),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
