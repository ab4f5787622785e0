package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.history.HistoryFiles;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.history.HistorySetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileExamplesTest {

  private static final int FILES = 3 * FileExamples.MOST_OPEN;

  @TempDir Path directory;

  private final List<String> files = new ArrayList<>();

  /** Two examples each, whose features are the number of the file, and a line that is none. */
  @BeforeEach
  void write() throws IOException {
    for (int file = 0; file < FILES; file++) {
      String line = "{\"features\":[%s],\"label\":0}%n".formatted(file);
      Path written = directory.resolve("part-%s.jsonl".formatted(file));
      Files.writeString(written, line + line + "{}\n");
      files.add(
          HistoryFiles.find(HistoryFiles.places(List.of(written.toString())))
              .get(0)
              .path()
              .toString());
    }
  }

  private String path() {
    return directory.resolve("*.jsonl").toString();
  }

  private FileExamples examples() {
    Configuration options = new Configuration();
    options.set(InputOptions.FORMAT, "json").set(HistoryOptions.PATH, path());
    options.set(InputOptions.FEATURES, 1).set(InputOptions.OUTPUTS, 2);
    InputSetup input = new InputSetup(options, InputOptions.shape(options));
    return new FileExamples(() -> HistorySetup.of(options, input).orElseThrow());
  }

  /** Nobody asks for the line at the end, so nothing else would close them. */
  @Test
  void aFewFilesAreOpenHoweverManyAreRead() {
    try (FileExamples examples = examples()) {
      for (int file = 0; file < FILES; file++) {
        assertThat(features(examples, file, 1, 2)).containsOnly(file).hasSize(2);
        assertThat(examples.open()).isEqualTo(Math.min(file + 1, FileExamples.MOST_OPEN));
      }
    }
  }

  /** Replicas read files in turn, and an attempt of the job may have begun again. */
  @Test
  void whatWasClosedIsReadAgain() {
    try (FileExamples examples = examples()) {
      for (int line = 1; line <= 2; line++) {
        for (int file = 0; file < FILES; file++) {
          assertThat(features(examples, file, line, 1)).containsExactly(file);
        }
      }
      assertThat(features(examples, 0, 1, 2)).containsExactly(0, 0);
    }
  }

  @Test
  void theOneThatWasUsedLongestAgoIsClosed() {
    try (FileExamples examples = examples()) {
      for (int file = 0; file < FileExamples.MOST_OPEN; file++) {
        assertThat(features(examples, file, 1, 1)).containsExactly(file);
      }
      assertThat(features(examples, 0, 2, 1)).containsExactly(0);
      assertThat(examples.isOpen(files.get(0))).isTrue();
      assertThat(features(examples, FileExamples.MOST_OPEN, 1, 1))
          .containsExactly(FileExamples.MOST_OPEN);

      assertThat(examples.isOpen(files.get(0))).isTrue();
      assertThat(examples.isOpen(files.get(1))).isFalse();
    }
  }

  private List<Integer> features(FileExamples examples, int file, long line, int count) {
    List<Integer> features = new ArrayList<>();
    examples.read(
        new RecordRun(files.get(file), 0, line, count),
        record -> features.add((int) ((Example) record).features()[0]));
    return features;
  }
}
