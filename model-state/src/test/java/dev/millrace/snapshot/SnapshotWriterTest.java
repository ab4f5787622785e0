package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.testing.InterruptedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotWriterTest {

  private static final long NEVER = -1;
  private static final Instant NOW = Instant.parse("2026-11-21T10:15:30Z");

  @TempDir private Path directory;

  @Test
  void writesArchiveDescriptionAndPointer() throws IOException {
    write(writer(3), 2, 15);

    assertThat(Files.readString(directory.resolve("model-2.15.zip"))).isEqualTo("2.15");
    SnapshotDescription description = described(2, 15);
    assertThat(description.version()).isEqualTo(new ModelVersion(2, 15));
    assertThat(description.created()).isEqualTo(NOW);
    assertThat(description.state()).isEqualTo(SnapshotState.FRESH);
    assertThat(Files.readString(directory.resolve("latest.json")))
        .isEqualToIgnoringWhitespace(
            """
            {"version":"2.15","archive":"model-2.15.zip","description":"model-2.15.json"}\
            """);
    assertThat(files()).hasSize(3);
  }

  @Test
  void theArchiveComesFirstAndThePointerLast() throws IOException {
    List<String> order = new ArrayList<>();
    SnapshotWriter writer =
        writer(
            new RecordingStore(SnapshotStore.directory(directory), order),
            Optional.empty(),
            1,
            0,
            NEVER);
    write(writer, 0, 1);
    write(writer, 0, 2);

    assertThat(order)
        .containsExactly(
            "put writer-0-one.json",
            "put model-0.1.zip",
            "put model-0.1.json",
            "put latest.json",
            "put model-0.2.zip",
            "put model-0.2.json",
            "put latest.json",
            "delete model-0.1.json",
            "delete model-0.1.zip");
  }

  @Test
  void keepsTheNewestAndNothingThatIsntASnapshotIsTouched() throws IOException {
    Files.writeString(directory.resolve("model-notes.zip"), "mine");
    SnapshotWriter writer = writer(2);
    for (int round = 1; round <= 12; round++) {
      write(writer, 0, round);
    }

    assertThat(files())
        .containsExactlyInAnyOrder(
            "model-notes.zip",
            "latest.json",
            "model-0.11.zip",
            "model-0.11.json",
            "model-0.12.zip",
            "model-0.12.json");
  }

  @Test
  void everySoManyStayForGoodAlsoAfterARestart() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    for (long round = 1; round <= 5; round++) {
      write(writer(store, Optional.empty(), 1, 3, NEVER), 0, round * 10);
    }
    SnapshotWriter writer = writer(store, Optional.empty(), 1, 3, NEVER);
    for (long round = 6; round <= 8; round++) {
      write(writer, 0, round * 10);
    }

    assertThat(new SnapshotCatalog(store).versions())
        .containsExactly(new ModelVersion(0, 30), new ModelVersion(0, 60), new ModelVersion(0, 80));
  }

  @Test
  void whatIsServedStaysHoweverOldItIs() throws IOException {
    SnapshotWriter writer = writer(2);
    write(writer, 0, 1);
    write(writer, 0, 2);
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(0, 1));
    for (int round = 3; round <= 9; round++) {
      write(writer, 0, round);
    }

    assertThat(LatestSnapshot.find(directory).orElseThrow().description().version())
        .isEqualTo(new ModelVersion(0, 1));
    assertThat(directory.resolve("model-0.1.zip")).exists();
  }

  @Test
  void aVersionThatIsntNewerIsRefused() throws IOException {
    write(writer(3), 2, 5);

    assertThatThrownBy(() -> write(writer(3), 2, 4))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(directory.toString(), "2.5", "only go up");
    assertThatThrownBy(() -> write(writer(3), 1, 500)).isInstanceOf(IOException.class);
    assertThat(files()).hasSize(3);
  }

  @Test
  void whatWasWrittenBeforeAFailureStaysAsItIs() throws IOException {
    SnapshotWriter before = writer(3);
    write(before, 2, 5);
    before.commit(new ModelVersion(2, 5), 1);

    write(writer(3), 2, 5);

    assertThat(described(2, 5).number()).isEqualTo(1);
    assertThat(described(2, 5).state()).isEqualTo(SnapshotState.COMMITTED);
  }

  @Test
  void anAttemptThatWasGivenUpCantUndoWhatTheNextOneWrote() throws IOException {
    SnapshotWriter givenUp = writer(3);
    write(givenUp, 1, 10);
    write(writer(3), 2, 8);

    assertThatThrownBy(() -> write(givenUp, 1, 12)).hasMessageContaining("there is model 2.8");
    assertThat(LatestSnapshot.find(directory).orElseThrow().description().version())
        .isEqualTo(new ModelVersion(2, 8));
  }

  @Test
  void whatAnAttemptThatWasGivenUpStillWroteIsCountedByTheNext() throws IOException {
    SnapshotWriter givenUp = writer(3);
    SnapshotWriter next = writer(3);
    write(givenUp, 1, 10);
    write(next, 2, 8);

    assertThat(described(1, 10).number()).isEqualTo(1);
    assertThat(described(2, 8).number()).isEqualTo(2);
  }

  @Test
  void aCheckpointCommitsWhatItCovers() throws IOException {
    SnapshotWriter writer = writer(5);
    write(writer, 0, 10);
    write(writer, 0, 20);
    write(writer, 0, 30);

    List<SnapshotDescription> committed = writer.commit(new ModelVersion(0, 25), 4);

    assertThat(committed)
        .extracting(SnapshotDescription::version)
        .containsExactly(new ModelVersion(0, 10), new ModelVersion(0, 20));
    assertThat(described(0, 20).state()).isEqualTo(SnapshotState.COMMITTED);
    assertThat(described(0, 20).checkpoint()).isEqualTo(4);
    assertThat(described(0, 30).state()).isEqualTo(SnapshotState.FRESH);
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    assertThat(catalog.pointer(Pointer.COMMITTED).orElseThrow().version()).isEqualTo("0.20");
    assertThat(catalog.pointer(Pointer.LATEST).orElseThrow().version()).isEqualTo("0.30");
    assertThat(writer.commit(new ModelVersion(0, 25), 5)).isEmpty();
  }

  @Test
  void whatAnEarlierAttemptWroteAheadOfTheCheckpointIsCommittedByTheNext() throws IOException {
    SnapshotWriter first = writer(5);
    write(first, 0, 10);
    write(first, 0, 11);
    SnapshotWriter next = writer(5);

    next.adopt(new ModelVersion(0, 10));
    next.commit(new ModelVersion(0, 10), 7);

    assertThat(described(0, 10).state()).isEqualTo(SnapshotState.COMMITTED);
    assertThat(described(0, 11).state()).isEqualTo(SnapshotState.FRESH);
  }

  @Test
  void aFailureLeavesWhatWasThereAndNothingElse() throws IOException {
    SnapshotWriter writer = writer(SnapshotStore.directory(directory), Optional.empty(), 1, 0, 2);
    write(writer, 0, 1);
    String latest = Files.readString(directory.resolve("latest.json"));

    assertThatThrownBy(() -> write(writer, 0, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            directory.resolve("model-0.2.zip").toString(), "No space left on device");

    assertThat(files()).containsExactlyInAnyOrder("latest.json", "model-0.1.zip", "model-0.1.json");
    assertThat(Files.readString(directory.resolve("latest.json"))).isEqualTo(latest);
  }

  @Test
  void whatACrashedWriterLeftIsDeleted() throws IOException {
    Path half = Files.writeString(directory.resolve(".unfinished-model-0.9.zip"), "half");
    Files.setLastModifiedTime(half, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    Files.writeString(directory.resolve("model-0.9.zip"), "whole, but without description");

    write(writer(1), 1, 10);

    assertThat(files())
        .containsExactlyInAnyOrder("latest.json", "model-1.10.zip", "model-1.10.json");
  }

  @Test
  void theNewestOfBeforeDriftsAreSparedAndMarked() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    SnapshotWriter writer =
        new SnapshotWriter(
            store, TestModels.engine(NEVER), Optional.empty(), new Retention(1, 0, 2), () -> NOW);
    for (long round = 1; round <= 8; round++) {
      writer.write(TestModels.model(0, round), Optional.empty(), round % 2 == 1);
      writer.sweep();
    }

    assertThat(files())
        .filteredOn(file -> file.endsWith(".zip"))
        .containsExactlyInAnyOrder("model-0.5.zip", "model-0.7.zip", "model-0.8.zip");
    assertThat(described(0, 5).wasBeforeDrift()).isTrue();
    assertThat(described(0, 8).wasBeforeDrift()).isFalse();
    writer.commit(new ModelVersion(0, 8), 1);
    assertThat(described(0, 7).wasBeforeDrift()).as("once committed").isTrue();
  }

  /** Whoever wrote them died before it came to the pointer. */
  @Test
  void aModelThatIsThereIsPointedTo() throws IOException {
    write(writer(3), 2, 4);
    write(writer(3), 2, 5);
    Files.copy(directory.resolve("latest.json"), directory.resolve("kept"));
    String older = Files.readString(directory.resolve("latest.json")).replace("2.5", "2.4");
    Files.writeString(directory.resolve("latest.json"), older);

    write(writer(3), 2, 5);

    assertThat(directory.resolve("latest.json")).hasSameTextualContentAs(directory.resolve("kept"));
  }

  @Test
  void theLastModelIsWrittenAndServedThoughALaterRoundIsThere() throws IOException {
    SnapshotWriter writer = writer(5);
    write(writer, 2, 3);
    write(writer, 2, 6);

    writer.writeLast(TestModels.model(2, 5), Optional.empty());
    writer.commit(new ModelVersion(2, 5), 4);

    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    assertThat(catalog.pointer(Pointer.LATEST).orElseThrow().version()).isEqualTo("2.5");
    assertThat(catalog.pointer(Pointer.COMMITTED).orElseThrow().version()).isEqualTo("2.5");
    assertThat(described(2, 6).state()).isEqualTo(SnapshotState.FRESH);
  }

  @Test
  void theLastModelOfAnAttemptThatWasGivenUpIsRefused() throws IOException {
    SnapshotWriter givenUp = writer(3);
    write(givenUp, 1, 10);
    write(writer(3), 2, 8);

    assertThatThrownBy(() -> givenUp.writeLast(TestModels.model(1, 12), Optional.empty()))
        .isInstanceOf(RefusedModelException.class)
        .hasMessageContainingAll("there is model 2.8", "another job");
  }

  @Test
  void noOtherJobIsBlamedForALaterModelOfTheOwn() throws IOException {
    SnapshotWriter writer = writer(3);
    write(writer, 2, 6);

    assertThatThrownBy(() -> write(writer, 2, 5))
        .isInstanceOf(RefusedModelException.class)
        .hasMessageContaining("A later model of this job")
        .hasMessageNotContaining("nother job");
  }

  /** The first attempt died before it pointed to the model. */
  @Test
  void aCommittedModelThatNothingPointsToIsPointedToByTheNextAttempt() throws IOException {
    SnapshotWriter first = writer(5);
    write(first, 0, 10);
    assertThat(first.commit(new ModelVersion(0, 10), 4)).hasSize(1);
    SnapshotStore.directory(directory).delete(Pointer.COMMITTED);

    SnapshotWriter next = writer(5);
    assertThat(next.adopt(new ModelVersion(0, 10))).hasSize(1);
    assertThat(next.commit(new ModelVersion(0, 10), 5)).isEmpty();

    assertThat(files()).contains(Pointer.COMMITTED);
  }

  /** A person may just be letting go of an older one that is pointed to. */
  @Test
  void theNextAttemptPointsToTheNewestThatIsCommitted() throws IOException {
    SnapshotWriter first = writer(5);
    write(first, 0, 10);
    first.commit(new ModelVersion(0, 10), 4);
    write(first, 1, 11);
    first.commit(new ModelVersion(1, 11), 5);
    SnapshotStore.directory(directory).delete(Pointer.COMMITTED);

    SnapshotWriter next = writer(5);
    next.adopt(new ModelVersion(0, 10));
    next.commit(new ModelVersion(0, 10), 6);

    assertThat(
            new SnapshotCatalog(SnapshotStore.directory(directory))
                .written(Pointer.COMMITTED)
                .map(Pointer::version))
        .contains("1.11");
  }

  /** But for the moment between looking and writing. */
  @Test
  void aModelThatTheNextAttemptCommittedMeanwhileStaysCommitted() throws IOException {
    int lost = 0;
    boolean isPending = false;
    for (int step = 0; !isPending; step++) {
      SnapshotStore store = SnapshotStore.directory(directory.resolve("step-" + step));
      InterruptedStore interrupted =
          new InterruptedStore(
              store,
              step,
              () -> {
                SnapshotWriter next = writer(store, Optional.empty(), 5, 0, NEVER);
                next.writeLast(TestModels.model(0, 10), Optional.empty());
                next.commit(new ModelVersion(0, 10), 4);
              });
      writer(interrupted, Optional.empty(), 5, 0, NEVER)
          .writeLast(TestModels.model(0, 10), Optional.empty());
      isPending = interrupted.isPending();
      SnapshotState state =
          new SnapshotCatalog(store).find(new ModelVersion(0, 10)).orElseThrow().state();
      lost += !isPending && state == SnapshotState.FRESH ? 1 : 0;
    }
    assertThat(lost).isLessThanOrEqualTo(1);
  }

  /** A store may take long to write, whatever comes between. */
  @Test
  void bothPointersEndAtTheLaterOfTwoJobsWhenTheOneWritesAmidTheOther() throws IOException {
    boolean isPending = false;
    for (int step = 0; !isPending; step++) {
      SnapshotStore store = SnapshotStore.directory(directory.resolve("step-" + step));
      InterruptedStore interrupted =
          new InterruptedStore(
              store,
              step,
              () -> {
                SnapshotWriter other = writer(store, "other");
                write(other, 4, 5);
                other.commit(new ModelVersion(4, 5), 7);
              });
      SnapshotWriter writer = writer(interrupted, "one");
      try {
        write(writer, 3, 6);
        writer.commit(new ModelVersion(3, 6), 6);
      } catch (RefusedModelException e) {
        assertThat(e).hasMessageContaining("another job");
      }
      isPending = interrupted.isPending();
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      for (String pointer : List.of(Pointer.LATEST, Pointer.COMMITTED)) {
        assertThat(catalog.pointer(pointer).orElseThrow().version())
            .as("%s, step %s", pointer, step)
            .isEqualTo(isPending ? "3.6" : "4.5");
      }
    }
  }

  /** It may be older than what was published behind the savepoint, and is committed next. */
  @Test
  void theLastModelStaysHoweverFewAreKept() throws IOException {
    SnapshotWriter writer = writer(1);
    write(writer, 0, 10);
    write(writer, 0, 11);

    writer.writeLast(TestModels.model(0, 9), Optional.empty());

    assertThat(writer.commit(new ModelVersion(0, 9), 4)).hasSize(1);
  }

  @Test
  void atLeastOneIsKept() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Retention(0, 0, 0));
  }

  private static SnapshotWriter writer(SnapshotStore store, String name) throws IOException {
    return writer(store, Optional.empty(), 5, 0, NEVER, name);
  }

  private SnapshotWriter writer(int keep) throws IOException {
    return writer(SnapshotStore.directory(directory), Optional.empty(), keep, 0, NEVER);
  }

  private static SnapshotWriter writer(
      SnapshotStore store, Optional<PublicationGate> gate, int keep, int every, long failingRound)
      throws IOException {
    return writer(store, gate, keep, every, failingRound, "one");
  }

  private static SnapshotWriter writer(
      SnapshotStore store,
      Optional<PublicationGate> gate,
      int keep,
      int every,
      long failingRound,
      String name)
      throws IOException {
    return new SnapshotWriter(
        store,
        TestModels.engine(failingRound),
        gate,
        new Retention(keep, every, 0),
        () -> NOW,
        new Writers(List.of(name), -1),
        Optional.empty());
  }

  private static void write(SnapshotWriter writer, long generation, long round) throws IOException {
    writer.write(TestModels.model(generation, round), Optional.empty());
    writer.sweep();
  }

  private SnapshotDescription described(long generation, long round) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .find(new ModelVersion(generation, round))
        .orElseThrow();
  }

  /** All but those that say whose the models are. */
  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> !file.startsWith("writer-"))
          .toList();
    }
  }
}
