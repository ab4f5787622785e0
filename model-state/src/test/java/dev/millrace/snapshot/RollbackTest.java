package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RollbackTest {

  @TempDir private Path directory;

  private SnapshotStore store;
  private SnapshotWriter writer;

  @BeforeEach
  void publishThree() throws IOException {
    store = SnapshotStore.directory(directory);
    writer =
        new SnapshotWriter(
            store,
            TestModels.engine(-1),
            Optional.empty(),
            new Retention(9, 0, 0),
            () -> Instant.EPOCH);
    for (int round = 1; round <= 3; round++) {
      publish(round);
    }
  }

  @Test
  void anOlderModelIsServedUntilItIsReleased() throws IOException {
    writer.commit(new ModelVersion(0, 3), 1);
    new Rollback(store).to(new ModelVersion(0, 2));
    publish(4);
    writer.commit(new ModelVersion(0, 4), 2);

    assertThat(served(Pointer.LATEST)).isEqualTo("0.2");
    assertThat(served(Pointer.COMMITTED)).isEqualTo("0.2");

    assertThat(new Rollback(store).release().version()).isEqualTo(new ModelVersion(0, 4));
    assertThat(served(Pointer.LATEST)).isEqualTo("0.4");
    publish(5);
    assertThat(served(Pointer.LATEST)).isEqualTo("0.5");
    assertThat(served(Pointer.COMMITTED)).isEqualTo("0.4");
  }

  /** A job may have died after it wrote a pointer and before it saw what is held. */
  @Test
  void whatIsHeldGoesBeforeWhatAPointerNames() throws IOException {
    writer.commit(new ModelVersion(0, 3), 1);
    String newest = Files.readString(directory.resolve("latest.json"));
    new Rollback(store).to(new ModelVersion(0, 2));
    Files.writeString(directory.resolve("latest.json"), newest);
    Files.writeString(directory.resolve("committed.json"), newest);

    assertThat(served(Pointer.LATEST)).isEqualTo("0.2");
    assertThat(served(Pointer.COMMITTED)).isEqualTo("0.2");
    assertThat(LatestSnapshot.find(directory).orElseThrow().archive())
        .isEqualTo(directory.resolve("model-0.2.zip"));

    publish(4);
    assertThat(Files.readString(directory.resolve("latest.json"))).contains("0.2", "held");
  }

  @Test
  void aHoldThatNamesNoModelIsTold() throws IOException {
    Files.writeString(directory.resolve("held.json"), "{\"version\":\"0.2\"}");

    assertThatThrownBy(() -> served(Pointer.LATEST))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("held.json", "names no model", "millrace rollback");

    new Rollback(store).to(new ModelVersion(0, 1));
    assertThat(served(Pointer.LATEST)).isEqualTo("0.1");
  }

  @Test
  void aHoldThatNamesNoModelCanBeReleased() throws IOException {
    Files.writeString(directory.resolve("held.json"), "");

    new Rollback(store).release();

    assertThat(served(Pointer.LATEST)).isEqualTo("0.3");
  }

  @Test
  void aModelThatNoCheckpointCoversIsntServedAsCommitted() throws IOException {
    writer.commit(new ModelVersion(0, 1), 1);

    assertThatThrownBy(() -> new Rollback(store).to(new ModelVersion(0, 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("0.2", "isn't committed", "committed.json");

    assertThat(served(Pointer.LATEST)).isEqualTo("0.3");
    assertThat(served(Pointer.COMMITTED)).isEqualTo("0.1");
  }

  @Test
  void whereNothingIsCommittedNothingIsWhileAModelIsHeld() throws IOException {
    new Rollback(store).to(new ModelVersion(0, 2));
    writer.commit(new ModelVersion(0, 3), 1);

    assertThat(served(Pointer.LATEST)).isEqualTo("0.2");
    assertThat(new SnapshotCatalog(store).pointer(Pointer.COMMITTED)).isEmpty();

    new Rollback(store).release();
    assertThat(served(Pointer.LATEST)).isEqualTo("0.3");
    assertThat(served(Pointer.COMMITTED)).isEqualTo("0.3");
  }

  @Test
  void aVersionThatIsntThereIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> new Rollback(store).to(new ModelVersion(0, 7)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("0.7", directory.toString(), "0.1, 0.2, 0.3");
  }

  @Test
  void nothingIsReleasedThatIsntHeld() {
    assertThatThrownBy(() -> new Rollback(store).release())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No model is held");
  }

  private void publish(long round) throws IOException {
    writer.write(TestModels.model(0, round), Optional.empty());
  }

  private String served(String pointer) throws IOException {
    return new SnapshotCatalog(store).pointer(pointer).orElseThrow().version();
  }
}
