package dev.millrace.simulate.job;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.model.ModelVersion;
import dev.millrace.simulate.task.Fiber;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.snapshot.Rollback;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.util.List;

/** A person who puts an older model back while the job writes, and lets go after a while. */
final class Person {

  private static final long SECOND = 1_000_000;
  private static final int MOST_FILES = 8;
  private static final int TIMES = 10;

  private final Timeline timeline;
  private final ModelPlace place;
  private final SnapshotStore store;
  private final ModelTopics topics;
  private TimedFiber fiberOrNull;
  private Runnable plan;
  private int filesLeft;
  private int timesLeft;
  private boolean holds;
  private long brokenBefore;

  /**
   * @param store what the person sees of the place
   */
  Person(Timeline timeline, ModelPlace place, SnapshotStore store, ModelTopics topics) {
    this.timeline = timeline;
    this.place = place;
    this.store = store;
    this.topics = topics;
  }

  /**
   * Puts a model back when the job has written a few files more, and lets go, a few times.
   *
   * @param which of the models that there are, and of the files
   * @param micros that each is held
   */
  void putBackSoon(int which, long micros) {
    if (timesLeft == 0) {
      timesLeft = TIMES;
      plan(which, micros);
    }
  }

  private void plan(int which, long micros) {
    if (timesLeft-- > 0) {
      filesLeft = which % MOST_FILES;
      plan = () -> putBack(which, micros);
    } else {
      timesLeft = 0;
    }
  }

  /** The job has written a file. */
  void seesFile() {
    if (plan != null && filesLeft-- == 0) {
      var unused = timeline.in(0, plan);
      plan = null;
    }
  }

  private void putBack(int which, long micros) {
    brokenBefore = place.broken();
    work(
        () -> {
          try {
            List<ModelVersion> versions = List.copyOf(new SnapshotCatalog(store).versions());
            if (!versions.isEmpty()) {
              new Rollback(store).to(versions.get(which % versions.size()));
              holds = true;
              topics.tell(store);
            }
          } finally {
            letGo(which, micros);
          }
        });
  }

  private void letGo(int which, long micros) {
    var unused = timeline.in(micros, () -> work(() -> release(which, micros)));
  }

  private void release(int which, long micros) {
    holds = false;
    try {
      if (new SnapshotCatalog(store).hold().isPresent()) {
        new Rollback(store).release();
        topics.tell(store);
      }
      plan(which + 1, micros);
    } catch (IOException | KafkaAccessException e) {
      // Again and again, until it is done.
      letGo(which, 5 * SECOND);
    }
  }

  private void work(Fiber.Work work) {
    if (fiberOrNull != null) {
      return;
    }
    TimedFiber fiber =
        new TimedFiber(
            timeline,
            () -> {
              try {
                work.run();
              } catch (IOException | KafkaAccessException e) {
                // What can't be done is told to a person, and all stays as it was.
              }
            });
    fiberOrNull = fiber;
    fiber.whenOver(amid -> fiberOrNull = null);
    fiber.resume();
  }

  /** Whether a model is put back, and nothing has failed since that began. */
  boolean holdsUndisturbed() {
    return holds && fiberOrNull == null && place.broken() == brokenBefore;
  }

  /** Ends what the person is at. */
  void end() {
    if (fiberOrNull != null) {
      fiberOrNull.die();
    }
  }
}
