package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.testing.InterruptedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriterClaimTest {

  @TempDir private Path directory;

  @Test
  void ofTwoJobsThatStartTogetherOneIsRefusedAndCommitsNothing() throws IOException {
    SnapshotWriter one = writer(store(), "one");
    SnapshotWriter two = writer(store(), "two");
    write(one, 0, 10);

    for (long round : new long[] {10, 12}) {
      assertThatThrownBy(() -> write(two, 0, round))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              directory.toString(),
              "another job publishes",
              "writer-0-one.json",
              "a directory of its own",
              "start this one again");
    }

    assertThat(two.commit(new ModelVersion(0, 12), 1)).isEmpty();
    assertThat(new SnapshotCatalog(store()).versions()).containsExactly(new ModelVersion(0, 10));
    assertThat(described(0, 10).state()).isEqualTo(SnapshotState.FRESH);
    assertThat(one.commit(new ModelVersion(0, 10), 1)).hasSize(1);
  }

  /**
   * An attempt that ends with the model of the one before, and fails, leaves no claim of its own.
   */
  @Test
  void anAttemptThatFailsAsItEndsDoesNotShutOutTheNext() throws IOException {
    write(writer(store(), "first"), 0, 10);
    write(writer(store(), "first", "failed"), 0, 12);

    write(writer(store(), "first", "next"), 0, 12);

    assertThat(store().names()).contains("writer-0-first.json");
    assertThat(store().names()).doesNotContain("writer-0-failed.json", "writer-0-next.json");
  }

  /** Nor where that one had written nothing: the claim bears its name. */
  @Test
  void anAttemptThatFailsAsItEndsDoesNotShutOutTheNextOfOneThatWroteNothing() throws IOException {
    write(writer(store(), new Writers(List.of("first", "failed"), 0)), 0, 12);

    write(writer(store(), new Writers(List.of("first", "next"), 0)), 0, 12);
    write(writer(store(), new Writers(List.of("first", "next"), 0)), 1, 13);

    assertThat(claims()).containsExactlyInAnyOrder("writer-0-first.json", "writer-1-next.json");
  }

  /** Before each step of the first, on a store that can't tell who was first. */
  @Test
  void inWhateverOrderTwoBeginNeverDoBothWrite() throws IOException {
    for (int step = 0; step < 50; step++) {
      Path place = directory.resolve("step-" + step);
      SnapshotStore store = SnapshotStore.directory(place);
      List<String> wrote = new ArrayList<>();
      SnapshotWriter two = writer(store, "two");
      InterruptedStore interrupted =
          new InterruptedStore(store, step, () -> tryToWrite(two, "two", wrote));
      tryToWrite(writer(interrupted, "one"), "one", wrote);
      if (interrupted.isPending()) {
        assertThat(step).isGreaterThan(5);
        return;
      }
      assertThat(wrote).as("step %d", step).hasSizeLessThanOrEqualTo(1);
      if (!wrote.isEmpty()) {
        assertThat(Files.readString(place.resolve("model-0.10.zip"))).isEqualTo("0.10");
      }
    }
    throw new AssertionError("A publication takes more steps than were tried");
  }

  /** Each has put its claim there before the other looked. */
  @Test
  void whereBothAreRefusedTheNextModelGetsThrough() throws IOException {
    String claim = "writer-0-two.json";
    SnapshotStore interrupted =
        new InterruptedStore(
            store(), 1, () -> store().put(claim, file -> Files.writeString(file, "{}")));
    SnapshotWriter one = writer(interrupted, "one");
    assertThatThrownBy(() -> write(one, 0, 10)).hasMessageContaining(claim);
    assertThat(claims()).as("it has withdrawn its own").containsExactly(claim);
    store().delete(claim);

    write(one, 0, 20);

    assertThat(new SnapshotCatalog(store()).versions()).containsExactly(new ModelVersion(0, 20));
  }

  @Test
  void theNextAttemptGoesOnWithWhatTheOneBeforeWrote() throws IOException {
    write(writer(store(), "one"), 0, 10);

    SnapshotWriter next = writer(store(), "one", "again");
    write(next, 0, 10);
    next.adopt(new ModelVersion(0, 10));
    assertThat(next.commit(new ModelVersion(0, 10), 4)).hasSize(1);
    write(next, 1, 11);

    assertThat(described(0, 10).checkpoint()).isEqualTo(4);
  }

  @Test
  void modelsOfAnotherJobAreNotAdopted() throws IOException {
    write(writer(store(), "one"), 0, 10);

    SnapshotWriter two = writer(store(), "two", "again");
    two.adopt(new ModelVersion(0, 12));
    assertThat(two.commit(new ModelVersion(0, 12), 4)).isEmpty();
    write(two, 1, 1);
    two.adopt(new ModelVersion(0, 12));

    assertThat(two.commit(new ModelVersion(0, 12), 4))
        .as("also once it has claimed a generation of its own")
        .isEmpty();
    assertThat(described(0, 10).state()).isEqualTo(SnapshotState.FRESH);
  }

  @Test
  void twoJobsThatContinueFromOneSavepointAreTwo() throws IOException {
    write(writer(store(), "saved"), 0, 10);
    SnapshotWriter first = writer(store(), "saved", "first");
    SnapshotWriter second = writer(store(), "saved", "second");
    write(first, 1, 20);

    assertThatThrownBy(() -> write(second, 1, 20)).hasMessageContaining("writer-1-first.json");
  }

  @Test
  void aJobThatAnotherHasTakenOverFromCommitsNothing() throws IOException {
    SnapshotWriter first = writer(store(), "saved", "first");
    write(first, 1, 20);
    SnapshotWriter second = writer(store(), "saved", "second");
    write(second, 2, 20);

    assertThatThrownBy(() -> first.commit(new ModelVersion(1, 20), 1))
        .isInstanceOf(RefusedModelException.class)
        .hasMessageContainingAll("1.20", directory.toString(), "another job has published 2.20");
    assertThat(second.commit(new ModelVersion(2, 20), 1)).hasSize(1);
    assertThat(described(1, 20).state()).isEqualTo(SnapshotState.FRESH);
  }

  /** Its writer may have died before it wrote a model. */
  @Test
  void aLaterClaimWithoutAModelHoldsTheOthersUpOnce() throws IOException {
    SnapshotWriter first = writer(store(), "saved", "first");
    write(first, 1, 20);
    new WriterClaim(store(), new Writers(List.of("saved", "second"), -1)).require(2);

    write(first, 1, 21);
    assertThat(pointed(Pointer.LATEST)).isEqualTo("1.20");
    write(first, 1, 22);

    assertThat(pointed(Pointer.LATEST)).isEqualTo("1.22");
    assertThat(first.commit(new ModelVersion(1, 22), 1)).hasSize(3);
    assertThat(pointed(Pointer.COMMITTED)).isEqualTo("1.22");
  }

  @Test
  void aLastModelIsPointedToBesideALaterClaim() throws IOException {
    SnapshotWriter first = writer(store(), "saved", "first");
    write(first, 1, 20);
    new WriterClaim(store(), new Writers(List.of("saved", "second"), -1)).require(2);

    first.writeLast(TestModels.model(1, 21), Optional.empty());

    assertThat(pointed(Pointer.LATEST)).isEqualTo("1.21");
  }

  /** So its job can end: it has nothing to write. */
  @Test
  void aModelThatIsThereIsNotRefusedAlsoOnceAnotherJobHasTakenOver() throws IOException {
    write(writer(store(), "first"), 0, 10);
    write(writer(store(), "second"), 1, 10);

    write(writer(store(), new Writers(List.of("first", "again"), 0)), 0, 10);

    assertThatThrownBy(() -> write(writer(store(), "first", "again"), 0, 11))
        .hasMessageContaining("writer-1-second.json");
  }

  @Test
  void aClaimGoesWithTheModelsOfItsGeneration() throws IOException {
    write(writer(store(), "one"), 0, 10);
    write(writer(store(), "one", "two"), 1, 11);
    assertThat(claims()).containsExactlyInAnyOrder("writer-0-one.json", "writer-1-two.json");
    assertThat(new SnapshotCatalog(store()).newestGeneration()).isEqualTo(1);
    store().delete("model-0.10.json");
    store().delete("model-0.10.zip");

    write(writer(store(), "one", "two", "three"), 2, 12);

    assertThat(claims()).containsExactlyInAnyOrder("writer-1-two.json", "writer-2-three.json");
  }

  /** It may be about to write its first model. */
  @Test
  void theNewestClaimOfAnotherStaysThoughItHasNoModel() throws IOException {
    new WriterClaim(store(), new Writers(List.of("other"), -1)).require(2);

    write(writer(store(), "own"), 3, 20);
    assertThat(claims()).containsExactlyInAnyOrder("writer-2-other.json", "writer-3-own.json");

    write(writer(store(), "own", "next"), 4, 21);
    assertThat(claims())
        .as("a later one has written since")
        .containsExactlyInAnyOrder("writer-3-own.json", "writer-4-next.json");
  }

  @Test
  void aGenerationThatIsOnlyClaimedIsUsed() throws IOException {
    new WriterClaim(store(), new Writers(List.of("one"), -1)).require(7);

    assertThat(new SnapshotCatalog(store()).newestGeneration()).isEqualTo(7);
    assertThat(new SnapshotCatalog(SnapshotStore.directory(directory.resolve("none"))))
        .returns(-1L, WriterClaimTest::newestGeneration);
  }

  private static long newestGeneration(SnapshotCatalog catalog) {
    try {
      return catalog.newestGeneration();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String pointed(String pointer) throws IOException {
    return new SnapshotCatalog(store()).written(pointer).orElseThrow().version();
  }

  private List<String> claims() throws IOException {
    return store().names().stream().filter(name -> name.startsWith("writer-")).toList();
  }

  private static void tryToWrite(SnapshotWriter writer, String name, List<String> wrote) {
    try {
      write(writer, 0, 10);
      wrote.add(name);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("another job publishes");
    }
  }

  private static void write(SnapshotWriter writer, long generation, long round) throws IOException {
    writer.write(TestModels.model(generation, round), Optional.empty());
  }

  private SnapshotStore store() throws IOException {
    SnapshotStore store = SnapshotStore.directory(directory);
    store.clean();
    return store;
  }

  private SnapshotDescription described(long generation, long round) throws IOException {
    return new SnapshotCatalog(store()).find(new ModelVersion(generation, round)).orElseThrow();
  }

  private static SnapshotWriter writer(SnapshotStore store, String... writers) throws IOException {
    return writer(store, new Writers(List.of(writers), -1));
  }

  private static SnapshotWriter writer(SnapshotStore store, Writers writers) throws IOException {
    return new SnapshotWriter(
        store,
        TestModels.engine(-1),
        Optional.empty(),
        new Retention(9, 0, 0),
        () -> Instant.EPOCH,
        writers,
        Optional.empty());
  }
}
