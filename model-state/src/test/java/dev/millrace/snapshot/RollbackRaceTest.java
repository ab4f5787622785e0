package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.testing.InterruptedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person and a job at the same time, with each of them before every step of the other. */
final class RollbackRaceTest {

  private static final String WRITER = "one";
  private static final ModelVersion OLD = new ModelVersion(0, 1);
  private static final int MOST_STEPS = 100;

  @TempDir private Path base;

  private SnapshotStore store;

  @Test
  void noPublicationUndoesARollback() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      begin("publication-" + step);
      InterruptedStore job = new InterruptedStore(store, step, () -> new Rollback(store).to(OLD));
      publish(writer(job), 3, 3);
      if (job.isPending()) {
        assertThat(step).as("steps of a publication").isGreaterThan(10);
        return;
      }
      assertServed(step, OLD, OLD);
    }
    throw new AssertionError("The publication takes more steps than were tried");
  }

  @Test
  void noRollbackIsUndoneByAPublicationThatItLetsIn() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      begin("rollback-" + step);
      SnapshotWriter job = writer(store);
      InterruptedStore person = new InterruptedStore(store, step, () -> publish(job, 3, 3));
      new Rollback(person).to(OLD);
      if (person.isPending()) {
        assertThat(step).as("steps of a rollback").isGreaterThan(5);
        return;
      }
      assertServed(step, OLD, OLD);
    }
    throw new AssertionError("The rollback takes more steps than were tried");
  }

  @Test
  void whatIsPublishedWhileAModelIsLetGoIsServed() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      begin("release-" + step);
      new Rollback(store).to(OLD);
      SnapshotWriter job = writer(store);
      InterruptedStore person = new InterruptedStore(store, step, () -> publish(job, 3, 3));
      new Rollback(person).release();
      if (person.isPending()) {
        return;
      }
      assertServed(step, new ModelVersion(0, 3), new ModelVersion(0, 3));
    }
    throw new AssertionError("Letting go takes more steps than were tried");
  }

  @Test
  void aModelIsServedWhereAPublicationLetsItGo() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      begin("let-go-" + step);
      new Rollback(store).to(OLD);
      InterruptedStore job = new InterruptedStore(store, step, () -> new Rollback(store).release());
      publish(writer(job), 3, 3);
      if (job.isPending()) {
        return;
      }
      assertServed(step, new ModelVersion(0, 3), new ModelVersion(0, 3));
    }
    throw new AssertionError("The publication takes more steps than were tried");
  }

  /** Retention deletes the very model that a person puts back: it is there, or it is refused. */
  @Test
  void aModelThatIsPutBackIsThere() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      begin("retention-" + step);
      boolean[] refused = new boolean[1];
      InterruptedStore job =
          new InterruptedStore(
              store,
              step,
              () -> {
                try {
                  new Rollback(store).to(OLD);
                } catch (IOException e) {
                  assertThat(e).hasMessageContaining("There is no model 0.1");
                  refused[0] = true;
                }
              });
      publish(writer(job, 1), 3, 3);
      if (job.isPending()) {
        return;
      }
      ModelVersion served = refused[0] ? new ModelVersion(0, 3) : OLD;
      assertServed(step, served, served);
      assertThat(new SnapshotCatalog(store).hold().isPresent()).isNotEqualTo(refused[0]);
      assertThat(store.names()).contains("model-%s.zip".formatted(served));
    }
    throw new AssertionError("The publication takes more steps than were tried");
  }

  /** Nothing is committed when the person begins, so a fresh model may be put back. */
  @Test
  void readersOfCommittedModelsAreNeverGivenOneThatIsNot() throws IOException {
    for (int step = 0; step < MOST_STEPS; step++) {
      store = SnapshotStore.directory(base.resolve("fresh-" + step));
      SnapshotWriter job = writer(store);
      publish(job, 1);
      publish(job, 2);
      InterruptedStore person =
          new InterruptedStore(store, step, () -> job.commit(new ModelVersion(0, 1), 1));
      try {
        new Rollback(person).to(new ModelVersion(0, 2));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("isn't committed");
      }
      if (person.isPending()) {
        return;
      }
      Optional<SnapshotDescription> committed =
          new SnapshotCatalog(store).described(Pointer.COMMITTED);
      committed.ifPresent(given -> assertThat(given.state()).isEqualTo(SnapshotState.COMMITTED));
    }
    throw new AssertionError("The rollback takes more steps than were tried");
  }

  private void begin(String directory) throws IOException {
    store = SnapshotStore.directory(base.resolve(directory));
    SnapshotWriter job = writer(store);
    publish(job, 1, 1);
    publish(job, 2, 2);
  }

  private static SnapshotWriter writer(SnapshotStore store) throws IOException {
    return writer(store, 9);
  }

  private static SnapshotWriter writer(SnapshotStore store, int keep) throws IOException {
    return new SnapshotWriter(
        store,
        TestModels.engine(-1),
        Optional.empty(),
        new Retention(keep, 0, 0),
        () -> Instant.EPOCH,
        new Writers(List.of(WRITER), -1),
        Optional.empty());
  }

  private static void publish(SnapshotWriter job, long round) throws IOException {
    job.write(TestModels.model(0, round), Optional.empty());
    job.sweep();
  }

  private static void publish(SnapshotWriter job, long round, long checkpoint) throws IOException {
    publish(job, round);
    job.commit(new ModelVersion(0, round), checkpoint);
  }

  /** To readers of Millrace, and to programs that read the pointers alone. */
  private void assertServed(int step, ModelVersion latest, ModelVersion committed)
      throws IOException {
    SnapshotCatalog catalog = new SnapshotCatalog(store);
    assertThat(catalog.described(Pointer.LATEST).orElseThrow().version())
        .as("latest, step %d", step)
        .isEqualTo(latest);
    assertThat(catalog.described(Pointer.COMMITTED).orElseThrow().version())
        .as("committed, step %d", step)
        .isEqualTo(committed);
    assertThat(catalog.written(Pointer.LATEST).orElseThrow().version())
        .as("file latest.json, step %d", step)
        .isEqualTo(latest.toString());
    assertThat(catalog.written(Pointer.COMMITTED).orElseThrow().version())
        .as("file committed.json, step %d", step)
        .isEqualTo(committed.toString());
  }
}
