package dev.millrace.job.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first model that is served says what examples are. */
class AgreeingModelsTest {

  private static final ExampleShape OTHER = new ExampleShape(2, 2, Target.REGRESSION);

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private ModelPlace place;
  private AgreeingModels models;
  private SnapshotFeed feed;

  /** Null where a test reads models itself. */
  private ModelWatch watch;

  @BeforeEach
  void open() {
    place = ModelDirectory.of(directory.toString(), false);
    models = new AgreeingModels(place);
    feed = SnapshotFeed.directory(directory, Pointer.LATEST);
  }

  @AfterEach
  void close() throws IOException {
    feed.close();
    if (watch != null) {
      watch.close();
    }
  }

  /** Such as one that can't be written as ONNX, where a server predicts by ONNX Runtime alone. */
  @Test
  void aModelThatIsRefusedWhereNoneIsServedDecidesNothing() throws IOException {
    Choosy listener = new Choosy(Set.of(1L));
    watch(listener);
    publish(TellingModels.SHAPE, 1);
    listener.awaitNews("refused");

    publish(OTHER, 2);

    listener.awaitNews("refused", "1.2");
  }

  @Test
  void aModelThatIsRefusedWhereOneIsServedChangesNothing() throws IOException {
    Choosy listener = new Choosy(Set.of(2L));
    watch(listener);
    publish(TellingModels.SHAPE, 1);
    listener.awaitNews("1.1");
    publish(TellingModels.SHAPE, 2);
    listener.awaitNews("1.1", "refused");
    publish(OTHER, 3);
    listener.awaitNews("1.1", "refused", "refused");
    publish(TellingModels.SHAPE, 4);

    listener.awaitNews("1.1", "refused", "refused", "1.4");
  }

  /** As a task's thread does, which comes to it later. */
  @Test
  void aModelMayBeRefusedAfterItWasHandedOver() throws IOException {
    publish(TellingModels.SHAPE, 1);
    ServedModel first = read();
    models.offered(first);
    publish(TellingModels.SHAPE, 2);
    ServedModel second = read();
    models.offered(second);

    models.refused(first);
    publish(OTHER, 3);
    assertThatThrownBy(this::read)
        .as("the second is still to be served")
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("it takes other examples than the models before it");

    models.refused(second);
    publish(OTHER, 4);
    assertThat(read().spec().shape()).isEqualTo(OTHER);
  }

  private ServedModel read() throws IOException {
    return models.read(feed.poll().orElseThrow());
  }

  private void publish(ExampleShape shape, long round) throws IOException {
    TellingModels.publish(directory, TellingModels.model(shape, round));
  }

  private void watch(ModelWatch.Listener listener) {
    watch = ModelWatch.start(place, models, Duration.ofMillis(1), listener);
  }

  /** Refuses models of some rounds, and notes what becomes of each. */
  private static final class Choosy implements ModelWatch.Listener {

    private final Set<Long> refused;
    private final List<String> news = new CopyOnWriteArrayList<>();

    Choosy(Set<Long> refused) {
      this.refused = refused;
    }

    @Override
    public void publish(ServedModel model) {
      if (refused.contains(model.version().round())) {
        throw new InvalidModelException("not as ONNX");
      }
      news.add(model.version().toString());
    }

    @Override
    public void refuse(String why) {
      news.add("refused");
    }

    @Override
    public void fail(Throwable cause) {
      news.add("failed: " + cause);
    }

    void awaitNews(String... all) {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(news).containsExactly(all));
    }
  }
}
