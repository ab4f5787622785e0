package dev.millrace.simulate.job;

import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.train.publish.ReleaseSettings;
import dev.millrace.simulate.task.Barrier.Kind;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.snapshot.Retention;
import java.util.List;

/** The submissions of a run, one after another, and what they share: input, and place of models. */
public final class Jobs {

  private static final long SECOND = 1_000_000;

  private final Timeline timeline;
  private final Chance chance;
  private final String name;
  private final Input input;
  private final Defect defect;
  private final JobEvents events;
  private final String location;
  private final MemoryStore store;
  private JobOptions options;
  private Job current;
  private int submissions;
  private Kind asked;

  /**
   * Makes those of a run.
   *
   * @param name that no other run has
   */
  public Jobs(
      Timeline timeline, Chance chance, String name, Input input, Defect defect, JobEvents events) {
    this.timeline = timeline;
    this.chance = chance;
    this.name = name;
    this.input = input;
    this.defect = defect;
    this.events = events;
    this.location = MemoryStores.SCHEME + "://" + name + "/models";
    this.store =
        new MemoryStore(
            timeline,
            chance.at("store"),
            location,
            (file, bytes) -> events.wrote(file, bytes, options));
    this.options = JobOptions.draw(chance.at("options"));
    MemoryStores.add(location, store);
  }

  /** Nothing of it is used any more. */
  public void close() {
    MemoryStores.remove(location);
    current.discard();
  }

  public Job current() {
    return current;
  }

  public MemoryStore store() {
    return store;
  }

  /** Returns in words where the job is. */
  public String state() {
    return "%s, options %s".formatted(current.state(), options);
  }

  /** Submits the first job. */
  public void start() {
    submit(null);
  }

  private void submit(Completed fromOrNull) {
    ReleaseSettings release =
        options.publishes()
            ? new ReleaseSettings(
                new SnapshotPlace(location), null, new Retention(5, 0, 0), List.of(), null, null)
            : null;
    UsedGenerations generations =
        options.publishes() ? release.place().generations() : UsedGenerations.NONE;
    Chance own = chance.at("submission").at(submissions);
    current =
        new Job(
            timeline,
            own,
            name + "." + submissions,
            options,
            new Graph(options, input, release, generations),
            Job.Times.draw(own.at("times")),
            fromOrNull,
            defect,
            events);
    submissions++;
    current.start();
  }

  /** Stops the job with a savepoint, and continues with other options. */
  public void stop() {
    ask(Kind.STOP);
  }

  /** Has the job end with what it has read. */
  public void drain() {
    ask(Kind.DRAIN);
  }

  /** Until it is done: a savepoint may fail, and the job may fail amid it. */
  private void ask(Kind kind) {
    if (asked != null) {
      return;
    }
    asked = kind;
    askAgain(current);
  }

  private void askAgain(Job job) {
    if (job != current || job.isOver() || asked == null) {
      return;
    }
    if (!job.trigger(asked)) {
      events.happened("asked in vain", 0);
    }
    var unused = timeline.in(20 * SECOND, () -> askAgain(job));
  }

  /** Submits the job anew, from its savepoint and with other options. */
  public void resume(Completed savepoint) {
    asked = null;
    JobOptions other = options.redraw(chance.at("options").at(submissions));
    options = savepoint.partlyEnded() || !savepoint.ended().isEmpty() ? options : other;
    var unused = timeline.in(5 * SECOND, () -> submit(savepoint));
  }

  /** Cancels the job, and submits it anew from its newest checkpoint. */
  public void resubmit() {
    Job job = current;
    if (!job.isOver() && job.isRunning() && job.newest() != null) {
      asked = null;
      job.cancel(
          () -> {
            Completed newest = job.newest();
            var unused = timeline.in(5 * SECOND, () -> submit(newest));
          });
    }
  }
}
