package dev.millrace.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTailTest {

  private static final String PROGRESS =
      """
      {"type":"progress","time":5,"generation":1,"round":7,"examples":100,"rejected":2,\
      "accuracy":0.5,"loss":1.25,"window_accuracy":0.75,"window_loss":1.0,"auc":0.7,"window_auc":0.8,"members":2}
      """;

  @TempDir Path directory;

  @Test
  void readsWholeLinesAsTheyAreCompleted() throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    MetricsTail tail = new MetricsTail(file);
    assertThat(tail.next()).isEmpty();

    append(file, PROGRESS.substring(0, 40));
    assertThat(tail.next()).isEmpty();
    append(file, PROGRESS.substring(40));
    assertThat(tail.next())
        .containsExactly(
            new MetricsLine.Progress(
                5, 1, 7, 100, 2, null, 0.5, 1.25, 0.75, 1.0, 0.7, 0.8, null, null));
    assertThat(tail.next()).isEmpty();
  }

  @Test
  void refusalsAreRead() throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    MetricsTail tail = new MetricsTail(file);
    append(
        file,
        "{\"type\":\"progress\",\"time\":5,\"round\":7,\"rejected\":98,\"refused\":"
            + "{\"contributions\":2,\"records\":96,\"reason\":\"it exploded\",\"new\":1}}\n");

    assertThat(tail.next())
        .singleElement()
        .extracting(line -> ((MetricsLine.Progress) line).refused())
        .isEqualTo(new MetricsLine.Refused(2, 96, "it exploded"));
  }

  @Test
  void leavesOutWhatWasThereBeforeAndWhatItDoesNotKnow() throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    append(file, PROGRESS);
    MetricsTail tail = new MetricsTail(file);

    append(file, "{\"type\":\"weather\",\"sun\":true}\n");
    append(
        file,
        "{\"type\":\"holdout\",\"time\":9,\"generation\":0,\"round\":3,\"learned\":90,"
            + "\"examples\":10,\"loss\":0.5,\"mae\":0.25,\"rmse\":0.5,\"new\":1}\n");
    append(file, "{\"type\":\"snapshot\",\"generation\":0,\"round\":3,\"model\":\"/m/0.3.zip\"}\n");

    assertThat(tail.next())
        .containsExactly(
            new MetricsLine.HoldOut(9, 0, 3, 90, 10, null, 0.5, null, 0.25, 0.5),
            new MetricsLine.Snapshot(0, 3, "/m/0.3.zip"));
  }

  @Test
  void leavesOutALineThatWasCut() throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    MetricsTail tail = new MetricsTail(file);

    append(file, PROGRESS.substring(0, 30) + "\n" + PROGRESS);

    assertThat(tail.next()).hasSize(1);
  }

  @Test
  void readsMoreThanFitsIntoOneRead() throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    MetricsTail tail = new MetricsTail(file);

    append(file, PROGRESS.repeat(2000));

    assertThat(tail.next()).hasSize(2000);
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
