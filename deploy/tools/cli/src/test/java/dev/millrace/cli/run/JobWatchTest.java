package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.progress.MetricsTail;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobWatchTest {

  @TempDir Path directory;

  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final CompletableFuture<Integer> signal = new CompletableFuture<>();
  private final StringWriter written = new StringWriter();
  private JobWatch watch;

  @BeforeEach
  void begin() throws IOException {
    Path metrics = directory.resolve("metrics.jsonl");
    watch =
        new JobWatch(
            new Screen(new PrintWriter(written), 0),
            new MetricsTail(metrics),
            OptionalLong.of(100));
    Files.writeString(
        metrics,
        """
        {"type":"progress","time":0,"generation":0,"round":2,"examples":50}
        {"type":"snapshot","generation":0,"round":2,"model":"0.2.zip"}
        """);
  }

  @Test
  void showsWhatTheJobWroteUntilItEnds() throws Exception {
    end.complete(null);

    assertThat(watch.until(end, signal)).isEmpty();
    assertThat(written.toString()).startsWith("50 of 100 examples (50 %)");
    assertThat(watch.history().latestSnapshot())
        .hasValueSatisfying(snapshot -> assertThat(snapshot.model()).isEqualTo("0.2.zip"));
  }

  @Test
  void aSignalEndsTheWatchWithItsExitCode() throws Exception {
    signal.complete(130);

    assertThat(watch.until(end, signal)).hasValue(130);
  }

  @Test
  void aFailedJobIsExplainedByItsOwnMessage() {
    end.completeExceptionally(
        new IllegalStateException(
            "wrapped", new InvalidModelException("The model has 3 outputs, the data 10")));

    assertThatThrownBy(() -> watch.until(end, signal))
        .isInstanceOf(RunFailedException.class)
        .hasMessage("The job failed: The model has 3 outputs, the data 10");
  }

  @Test
  void aFailureFromElsewhereIsExplainedByItsFirstCause() {
    end.completeExceptionally(
        new IllegalStateException(
            "wrapped", new FileSystemException("/a", null, "No space left on device")));

    assertThatThrownBy(() -> watch.until(end, signal))
        .hasMessage("The job failed: /a: the system says 'No space left on device'");
  }
}
