package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedModelTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @TempDir Path directory;

  /** Keeps what it has found until it is closed. */
  private SnapshotFeed feed;

  @BeforeEach
  void open() {
    feed = SnapshotFeed.directory(directory, Pointer.LATEST);
  }

  @AfterEach
  void close() throws IOException {
    feed.close();
  }

  @Test
  void aModelOfOtherClassesIsRefused() throws IOException {
    PublishedSnapshot snapshot = publish(Map.of("input.classes", "a;b;c"));

    assertThatThrownBy(() -> ServedModel.read(snapshot, SHAPE, List.of("b", "a", "c")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("[a, b, c]", "[b, a, c]", "the input's are");
    assertThat(ServedModel.read(snapshot, SHAPE, List.of("a", "b", "c")).version())
        .isEqualTo(new ModelVersion(1, 7));
    assertThat(ServedModel.read(snapshot, SHAPE, List.of()).version())
        .isEqualTo(new ModelVersion(1, 7));
  }

  @Test
  void aModelOfNumberedClassesIsServedUnderAnyNames() throws IOException {
    PublishedSnapshot snapshot = publish(Map.of());

    assertThat(ServedModel.read(snapshot, SHAPE, List.of("b", "a", "c")).version())
        .isEqualTo(new ModelVersion(1, 7));
  }

  private PublishedSnapshot publish(Map<String, String> options) throws IOException {
    GlobalModel model = TellingModels.model(SHAPE, 7);
    TellingModels.publish(directory, TellingModels.trainedWith(options, model));
    return feed.poll().orElseThrow();
  }
}
