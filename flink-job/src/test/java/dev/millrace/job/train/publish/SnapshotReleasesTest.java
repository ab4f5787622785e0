package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotReleasesTest {

  @TempDir private Path directory;

  private final Told told = new Told();
  private final List<String> records = new ArrayList<>();
  private SnapshotReleases releases;

  @BeforeEach
  void create() {
    releases = releases();
  }

  @Test
  void listenersAreToldOfWhatIsServedAlsoAfterOneThatFails() throws IOException {
    releaseAndCommit(1);
    releaseAndCommit(2);

    assertThat(told.events)
        .containsExactly(
            "released 1.1",
            "committed 1.1",
            "served 1.1",
            "released 1.2",
            "committed 1.2",
            "served 1.2");
    assertThat(records).as("each is in the metrics twice").hasSize(4);
  }

  @Test
  void whileAModelIsHeldOthersAreCommittedButNotServed() throws IOException {
    releaseAndCommit(1);
    Rollback rollback = new Rollback(SnapshotStore.directory(directory));
    rollback.to(TellingModels.model(TellingModels.SHAPE, 1).version());

    releaseAndCommit(2);
    rollback.release();
    releaseAndCommit(3);

    assertThat(told.events)
        .containsExactly(
            "released 1.1",
            "committed 1.1",
            "served 1.1",
            "committed 1.2",
            "released 1.3",
            "committed 1.3",
            "served 1.3");
  }

  @Test
  void aModelIsReleasedOnce() throws IOException {
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, 1);

    releases.release(model, Optional.empty(), false);
    releases.release(model, Optional.empty(), false);

    assertThat(told.events).containsExactly("released 1.1");
  }

  /** A topic that got the newer one after the person's would hold that. */
  @Test
  void aModelThatIsPutBackWhileAnotherIsToldIsToldBehindIt() throws IOException {
    releaseAndCommit(1);
    told.onceReleased =
        () -> new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(1, 1));

    releaseAndCommit(2);

    assertThat(told.events)
        .containsExactly(
            "released 1.1",
            "committed 1.1",
            "served 1.1",
            "released 1.2",
            "released 1.1",
            "committed 1.2");
  }

  @Test
  void whatAListenerCouldNotTakeItIsToldAgain() throws IOException {
    told.onceReleased =
        () -> {
          throw new IOException("down");
        };
    releaseAndCommit(1);
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(1, 1));

    releaseAndCommit(2);

    assertThat(told.events)
        .containsExactly(
            "released 1.1", "committed 1.1", "served 1.1", "released 1.1", "committed 1.2");
  }

  /**
   * The attempt that committed it may have died before it told anybody, or told in vain of those
   * before.
   */
  @Test
  void whatTheCheckpointGoneOnFromHasCommittedIsToldAgain() throws IOException {
    releaseAndCommit(1);
    releaseAndCommit(2);
    told.events.clear();
    List<String> writers = releases.writers();
    releases = releases();
    releases.continueFrom(
        Writers.after(writers, -1), List.of(new Adoption(new ModelVersion(1, 2), 2)));

    releases.adoptWhatIsLeft();

    assertThat(told.events)
        .containsExactly("committed 1.1 before", "committed 1.2 again", "served 1.2");
    assertThat(releases.toAdopt()).isEmpty();
  }

  /** A native library that isn't there, for one. */
  @Test
  void anErrorOfAListenerKeepsNothingElseFromGoingOn() throws IOException {
    releaseAndCommit(1);
    told.events.clear();
    List<String> writers = releases.writers();
    releases = releases(new Unlinked());
    releases.continueFrom(
        Writers.after(writers, -1), List.of(new Adoption(new ModelVersion(1, 1), 1)));

    releaseAndCommit(2);
    releaseAndCommit(3);

    assertThat(told.events)
        .containsExactly(
            "committed 1.1 again",
            "served 1.1",
            "released 1.2",
            "committed 1.2",
            "served 1.2",
            "released 1.3",
            "committed 1.3",
            "served 1.3");
    assertThat(releases.toAdopt()).isEmpty();
  }

  /** Retention reads old descriptions to see which stay. */
  @Test
  void aModelIsToldOfThoughOldOnesCannotBeDeleted() throws IOException {
    releases = releases(new Failing(), new Retention(2, 5, 0));
    releaseAndCommit(1);
    releaseAndCommit(2);
    Path description = directory.resolve("model-1.1.json");
    String whole = Files.readString(description);
    Files.writeString(description, "half a des");
    told.events.clear();

    releaseAndCommit(3);
    Files.writeString(description, whole);
    releaseAndCommit(4);

    assertThat(told.events)
        .containsExactly(
            "released 1.3",
            "committed 1.3",
            "served 1.3",
            "released 1.4",
            "committed 1.4",
            "served 1.4");
    assertThat(new SnapshotCatalog(SnapshotStore.directory(directory)).versions())
        .containsExactly(new ModelVersion(1, 3), new ModelVersion(1, 4));
  }

  private SnapshotReleases releases() {
    return releases(new Failing());
  }

  private SnapshotReleases releases(ReleaseListener other) {
    return releases(other, new Retention(9, 0, 0));
  }

  /** Releases that another listener is told of first. */
  private SnapshotReleases releases(ReleaseListener other, Retention retention) {
    return new SnapshotReleases(
        "dl4j",
        new ReleaseSettings(
            SnapshotPlace.of(directory.toString()),
            null,
            retention,
            List.of(other, told),
            null,
            null),
        records::add);
  }

  private void releaseAndCommit(long round) throws IOException {
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
    releases.release(model, Optional.empty(), false);
    releases.commit(model.version(), round);
  }

  private static final class Told implements ReleaseListener {

    private static final long serialVersionUID = 1;

    private final ArrayList<String> events = new ArrayList<>();
    private transient Event onceReleased;

    interface Event {
      void happen() throws IOException;
    }

    @Override
    public void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException {
      events.add("released " + snapshot.version());
      if (onceReleased != null) {
        Event event = onceReleased;
        onceReleased = null;
        event.happen();
      }
    }

    @Override
    public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again) {
      events.add("committed %s%s".formatted(snapshot.version(), again ? " again" : ""));
    }

    @Override
    public void committedBefore(SnapshotDescription snapshot) {
      events.add("committed %s before".formatted(snapshot.version()));
    }

    @Override
    public void served(ModelVersion committed) {
      events.add("served " + committed);
    }

    @Override
    public void close() {}
  }

  private static final class Failing implements ReleaseListener {

    private static final long serialVersionUID = 1;

    @Override
    public void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException {
      throw new IOException("down");
    }

    @Override
    public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again) {
      throw new IllegalStateException("broken");
    }

    @Override
    public void close() {}
  }

  private static final class Unlinked implements ReleaseListener {

    private static final long serialVersionUID = 1;

    @Override
    public void released(SnapshotDescription snapshot, SnapshotStore store) {}

    @Override
    public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again) {
      throw new UnsatisfiedLinkError("no onnxruntime in java.library.path");
    }

    @Override
    public void close() {}
  }
}
