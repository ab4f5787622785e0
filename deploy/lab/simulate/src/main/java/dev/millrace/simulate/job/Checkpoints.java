package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Barrier.Kind;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** The checkpoints of a job: one at a time is taken, and tasks are told what becomes of it. */
public final class Checkpoints {

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** Short beside Flink's ten minutes, so that many time out. */
  private static final long TIMEOUT = 60 * SECOND;

  private final Timeline timeline;
  private final Chance chance;
  private final Times times;
  private final Defect defect;
  private final JobEvents events;
  private final Owner owner;
  private Completed newest;
  private PendingCheckpoint pending;
  private long next;

  private long writesFailUntil;
  private long writesSlowUntil;
  private long toldLateUntil;
  private long toldSomeUntil;

  /** The job whose checkpoints they are. */
  interface Owner {

    /** Returns the tasks; null while they aren't running. */
    Deployment runningOrNull();

    boolean isOver();

    void completed(Completed checkpoint);

    /** A checkpoint that was to stop the job failed. */
    void stopFailed();
  }

  /**
   * @param fromOrNull what the job continues from
   */
  Checkpoints(
      Timeline timeline,
      Chance chance,
      Times times,
      Completed fromOrNull,
      Defect defect,
      JobEvents events,
      Owner owner) {
    this.timeline = timeline;
    this.chance = chance;
    this.times = times;
    this.newest = fromOrNull;
    this.next = fromOrNull == null ? 1 : fromOrNull.barrier().checkpoint() + 1;
    this.defect = defect;
    this.events = events;
    this.owner = owner;
  }

  /** Returns the newest complete one; null if there is none. */
  Completed newest() {
    return newest;
  }

  /** Takes one every now and then. */
  void plan() {
    var unused =
        timeline.in(
            times.checkpoints(),
            () -> {
              if (!owner.isOver()) {
                trigger(Kind.CHECKPOINT);
                plan();
              }
            });
  }

  /**
   * Takes one, if none is being taken and all tasks are there.
   *
   * @return whether it does
   */
  boolean trigger(Kind kind) {
    Deployment tasks = owner.runningOrNull();
    if (tasks == null || !tasks.haveBegun()) {
      return false;
    }
    if (pending != null) {
      if (!kind.stops() || pending.barrier().kind().stops()) {
        return false;
      }
      // As Flink does, whatever tasks are at with it.
      abort();
    }
    Barrier barrier = new Barrier(next++, kind);
    PendingCheckpoint own = new PendingCheckpoint(barrier, tasks.alive());
    pending = own;
    events.happened("checkpoint", barrier.checkpoint());
    Chance delays = chance.at("trigger").at(barrier.checkpoint());
    List<Task> roots = tasks.alive().stream().filter(Task::isRoot).toList();
    for (Task root : roots) {
      timeline.in(delays.anyScale(100, times.network()), () -> root.trigger(barrier));
    }
    timeline.in(
        TIMEOUT,
        () -> {
          if (pending == own) {
            abort();
          }
        });
    return true;
  }

  /** Gives up the one that is being taken, if there is one. */
  public void abort() {
    if (pending == null) {
      return;
    }
    Barrier barrier = pending.barrier();
    pending = null;
    events.happened("aborted", barrier.checkpoint());
    Deployment tasks = owner.runningOrNull();
    if (tasks != null) {
      Chance delays = chance.at("abort").at(barrier.checkpoint());
      for (Task task : tasks.all()) {
        timeline.in(
            delays.anyScale(100, times.network()),
            () -> task.aborted(barrier.checkpoint(), toldWith(task)));
      }
    }
    if (barrier.kind().stops()) {
      owner.stopFailed();
    }
  }

  /** Returns the newest checkpoint that is complete, which is told with one that isn't. */
  private long toldWith(Task task) {
    if (newest == null || !defect.tells(task.vertex(), newest.barrier().checkpoint())) {
      return -1;
    }
    return newest.barrier().checkpoint();
  }

  /** The tasks are no more, so what is being taken never gets complete. */
  void forget() {
    pending = null;
  }

  /** A task has ended. If it was awaited, it saves nothing any more. */
  void ended(Task task) {
    if (pending != null && pending.awaits(task)) {
      abort();
    }
  }

  /** Returns how long a task takes to write its part. */
  long writes(Task task, Barrier barrier) {
    return chance
        .at("write")
        .at(barrier.checkpoint())
        .at(task.vertex())
        .at(task.index())
        .anyScale(MILLI, timeline.now() < writesSlowUntil ? 90 * SECOND : times.write());
  }

  /** A task has written its part. */
  void saved(Task task, Barrier barrier, List<SavedState> states) {
    if (pending == null || !pending.barrier().equals(barrier)) {
      events.happened("late", barrier.checkpoint());
      return;
    }
    if (timeline.now() < writesFailUntil) {
      events.happened("torn", barrier.checkpoint());
      abort();
      return;
    }
    List<SavedState> written = new ArrayList<>();
    for (int part = 0; part < states.size(); part++) {
      written.add(defect.save(task.vertex(), part, states.get(part)));
    }
    pending.saved(task, written);
    if (pending.isComplete()) {
      complete();
    }
  }

  private void complete() {
    Deployment tasks = owner.runningOrNull();
    newest = pending.complete(tasks.byVertex(), newest);
    pending = null;
    long checkpoint = newest.barrier().checkpoint();
    events.happened("complete", checkpoint);
    owner.completed(newest);
    tell(tasks, newest.barrier());
  }

  private void tell(Deployment tasks, Barrier barrier) {
    Chance delays = chance.at("notify").at(barrier.checkpoint());
    boolean toAll = barrier.kind().stops();
    boolean late = timeline.now() < toldLateUntil && !toAll;
    boolean some = timeline.now() < toldSomeUntil && !toAll;
    for (Task task : tasks.all()) {
      if ((some && delays.says(0.5)) || !defect.tells(task.vertex(), barrier.checkpoint())) {
        continue;
      }
      timeline.in(
          delays.anyScale(100, late ? 90 * SECOND : times.network()),
          () -> task.completed(barrier.checkpoint()));
    }
  }

  /** Parts can't be written for a while. */
  public void failWrites(long micros) {
    writesFailUntil = timeline.now() + micros;
  }

  /** Parts take long to be written for a while. */
  public void slowWrites(long micros) {
    writesSlowUntil = timeline.now() + micros;
  }

  /** That one is complete is told late for a while; behind a newer one it is no news. */
  public void tellLate(long micros) {
    toldLateUntil = timeline.now() + micros;
  }

  /** That one is complete is told to some only, for a while. */
  public void tellSome(long micros) {
    toldSomeUntil = timeline.now() + micros;
  }
}
