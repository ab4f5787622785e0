package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a context keeps the files of its jobs, and for how long. */
class TrainingContextTest {

  @TempDir Path own;

  @Test
  void whatIsTemporaryGoesWithItsJob() throws Exception {
    Path second;
    try (TrainingContext context = TrainingContext.embedded()) {
      Path first = Path.of(context.newDirectory());
      second = Path.of(context.newDirectory());
      Files.writeString(first.resolve("model"), "…");

      context.discard(first.toString());

      assertThat(first).doesNotExist();
      assertThat(second).exists();
    }
    assertThat(second.getParent()).doesNotExist();
  }

  /** Flink is started for a job that has its place, and started again for one with more workers. */
  @Test
  void theStartOfFlinkLeavesPlacesAsTheyAre() throws Exception {
    Path place;
    try (TrainingContext context = TrainingContext.embedded()) {
      place = Path.of(context.newDirectory());
      context.environment(new Configuration(), 1);
      context.environment(new Configuration(), 2);

      assertThat(place).exists();
      context.discard(place.toString());
      assertThat(place).doesNotExist();
    }
    assertThat(place.getParent()).doesNotExist();
  }

  @Test
  void whatThePersonNamedStays() throws Exception {
    try (TrainingContext context = TrainingContext.embedded().directory(own.toString())) {
      Path directory = Files.createDirectories(Path.of(context.newDirectory()));

      context.discard(directory.toString());

      assertThat(directory).exists();
    }
  }

  @Test
  void aClusterNeedsADirectory() {
    try (TrainingContext context = TrainingContext.remote("127.0.0.1", 1)) {
      assertThatThrownBy(context::newDirectory).hasMessageContaining("directory(");
    }
  }
}
