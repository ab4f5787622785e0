package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchCommandTest {

  private final CommandRun run = new CommandRun();

  @TempDir Path directory;

  private Path metrics;

  @BeforeEach
  void writeAsAJobDoes() throws IOException {
    metrics = directory.resolve("orders.jsonl");
    Files.writeString(
        metrics,
        "{\"type\":\"progress\",\"time\":1000,\"generation\":0,\"round\":3,\"examples\":96,\"rejected\":0}\n");
  }

  @Test
  void thePageOfAFileIsSaved() throws IOException {
    Path page = directory.resolve("orders.html");

    assertThat(run.execute("watch", "--metrics", metrics, "--save", page)).isZero();

    assertThat(run.out.toString()).contains("The page is in " + page);
    assertThat(page).content().contains("\"title\":\"orders\"", "\"examples\":96");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(run.execute("watch", "--metrics", directory.resolve("none"))).isNotZero();

    assertThat(run.err.toString())
        .contains("There is nothing at " + directory.resolve("none"), "metrics.file");
  }

  @Test
  void othersMayLookWithATokenAlone() throws IOException {
    assertThat(run.execute("watch", "--metrics", metrics, "--host", "0.0.0.0")).isNotZero();
    assertThat(run.err.toString()).contains("--host is '0.0.0.0'", "--token-file", "--no-token");

    Path token = Files.writeString(directory.resolve("token"), "short");
    assertThat(run.execute("watch", "--metrics", metrics, "--token-file", token)).isNotZero();
    assertThat(run.err.toString()).contains("must be at least 8 letters");

    Files.writeString(token, "long-enough");
    assertThat(run.execute("watch", "--metrics", metrics, "--token-file", token, "--no-token"))
        .isNotZero();
    assertThat(run.err.toString()).contains("--token-file and --no-token are both given");
  }

  @Test
  void aWrongPortIsRefusedBeforeAJobStarts() {
    assertThat(run.execute("demo", "--ui.port", "70000", "--work-dir", directory.resolve("work")))
        .isNotZero();

    assertThat(run.err.toString()).contains("--ui.port is '70000'", "or off");
  }
}
