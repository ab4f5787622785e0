package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Barrier.Kind;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.task.TaskListener;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * One submission of a job, as its JobManager sees it: it begins again from the newest checkpoint
 * when a task fails or a process is lost.
 */
public final class Job {

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  private final Timeline timeline;
  private final Chance chance;
  private final JobOptions options;
  private final Graph graph;
  private final Times times;
  private final Defect defect;
  private final JobEvents events;
  private final Steps steps;
  private final Checkpoints checkpoints;
  private final Processes processes;
  private final List<Deployment> isolated = new ArrayList<>();
  private Deployment tasks;
  private int attempt;
  private int starts;
  private boolean running;
  private boolean over;

  /** How it was stopped, once that is complete; null before. */
  private Kind stopped;

  private boolean drained;

  /**
   * Makes one that has yet to begin.
   *
   * @param name that no other has
   * @param fromOrNull the savepoint that it continues from
   */
  Job(
      Timeline timeline,
      Chance chance,
      String name,
      JobOptions options,
      Graph graph,
      Times times,
      Completed fromOrNull,
      Defect defect,
      JobEvents events) {
    this.timeline = timeline;
    this.chance = chance;
    this.options = options;
    this.graph = graph;
    this.times = times;
    this.defect = defect;
    this.events = events;
    this.tasks = new Deployment(timeline, Map.of());
    this.steps = new Steps(chance.at("steps"), times, options.direct());
    this.checkpoints =
        new Checkpoints(timeline, chance, times, fromOrNull, defect, events, new OfCheckpoints());
    this.processes = new Processes(name, options.processes());
  }

  // How it begins

  void start() {
    begin();
    checkpoints.plan();
  }

  private void begin() {
    if (over) {
      return;
    }
    starts++;
    running = true;
    events.happened("start", starts);
    Chance places = chance.at("places").at(starts);
    tasks =
        new Deployment(
            timeline,
            processes.place(
                graph.subtasks(),
                places,
                (vertex, index, count, process) ->
                    new Task(vertex, index, count, attempt, process, timeline, new OfTasks())));
    events.begins(checkpoints.newest(), options);
    graph.connect(new TaskWires(tasks.byVertex(), this::latency, defect));
    int start = starts;
    Chance delays = places.at("begin");
    for (Task task : tasks.all()) {
      timeline.in(
          delays.anyScale(MILLI, times.begin()),
          () -> {
            if (running && start == starts) {
              begin(task);
            }
          });
    }
  }

  private LongSupplier latency(Task from, Task to) {
    Chance ofEdge =
        chance.at("network").at(from.vertex()).at(from.index()).at(to.vertex()).at(to.index());
    return from.process() == to.process()
        ? () -> ofEdge.anyScale(10, MILLI)
        : () -> ofEdge.anyScale(100, times.network());
  }

  private void begin(Task task) {
    Deployment own = tasks;
    own.begins(task);
    Completed newest = checkpoints.newest();
    if (newest != null && newest.ended().contains(task.vertex())) {
      task.endAtOnce();
      ended(task);
      return;
    }
    graph.fill(task, newest != null, steps, () -> own.worker(task));
    task.begin(
        states(task, newest),
        newest == null ? OptionalLong.empty() : OptionalLong.of(newest.barrier().checkpoint()));
  }

  private List<SavedState> states(Task task, Completed newestOrNull) {
    int subtasks = tasks.byVertex().get(task.vertex()).size();
    List<SavedState> states = new ArrayList<>();
    for (int part = 0; part < Graph.parts(task.vertex()); part++) {
      boolean has = newestOrNull != null && newestOrNull.states().containsKey(task.vertex());
      states.add(
          has
              ? defect.restore(
                  task.vertex(),
                  part,
                  newestOrNull.deal(task.vertex(), part, task.index(), subtasks))
              : SavedState.NONE);
    }
    return states;
  }

  // How it fails

  /** Begins again from the newest checkpoint, once all tasks are closed. */
  private void restart(long least) {
    if (!running || over) {
      return;
    }
    running = false;
    attempt++;
    checkpoints.forget();
    stopped = null;
    int start = starts;
    Chance delays = chance.at("restart").at(starts);
    long delay = Math.max(least, delays.anyScale(100 * MILLI, 20 * SECOND));
    tasks.cancel(
        () -> delays.anyScale(100, times.network()),
        () ->
            timeline.in(
                delay,
                () -> {
                  if (start == starts) {
                    begin();
                  }
                }));
  }

  /** A process dies, and another takes its place. */
  public void kill(int number) {
    tasks.kill(processes.replace(number));
    restart(0);
  }

  /** A process can't be reached any more, and works on for a while. */
  public void isolate(int number, long micros) {
    tasks.isolate(processes.replace(number), micros);
    isolated.add(tasks);
    restart(0);
  }

  /** The JobManager dies, and another continues from what is stored. */
  public void loseJobManager() {
    if (running) {
      restart(chance.at("failover").at(starts).anyScale(SECOND, 30 * SECOND));
      attempt = 0;
    }
  }

  // How it ends

  /** Takes a savepoint; one that stops the job ends it. */
  boolean trigger(Kind kind) {
    return stopped == null && checkpoints.trigger(kind);
  }

  private void ended(Task task) {
    if (over || !running || !tasks.haveBegun()) {
      return;
    }
    checkpoints.ended(task);
    if (tasks.alive().isEmpty()) {
      over = true;
      if (stopped == Kind.STOP) {
        events.stopped(checkpoints.newest());
      } else {
        events.ended(checkpoints.newest(), drained);
      }
    }
  }

  /** Cancels it, as a user does. */
  void cancel(Runnable closed) {
    over = true;
    running = false;
    checkpoints.forget();
    tasks.cancel(() -> 0, closed);
  }

  /** Lets go of everything, when a run ends in the middle of it. */
  void discard() {
    over = true;
    tasks.discard();
    isolated.forEach(Deployment::discard);
  }

  /** Hears what becomes of tasks. */
  private final class OfTasks implements TaskListener {

    @Override
    public void failed(Task task, Exception cause) {
      if (!tasks.has(task)) {
        return;
      }
      if (!InjectedException.causes(cause)) {
        events.brokeDown(task, cause);
      }
      events.happened("failed", task.index());
      restart(0);
    }

    @Override
    public void takes(Task task, Object message) {
      if (tasks.has(task)) {
        events.takes(task, message);
      }
    }

    @Override
    public void sends(Task task, Object message) {
      if (tasks.has(task)) {
        events.sends(task, message);
      }
    }

    @Override
    public long writes(Task task, Barrier barrier) {
      events.passes(task, barrier);
      return checkpoints.writes(task, barrier);
    }

    @Override
    public void saved(Task task, Barrier barrier, List<SavedState> states) {
      checkpoints.saved(task, barrier, states);
    }

    @Override
    public void ended(Task task) {
      Job.this.ended(task);
    }

    @Override
    public void works(Task task, String what, long detail, byte[] bytesOrNull) {
      events.works(task, what, detail, bytesOrNull);
    }
  }

  /** Hears what becomes of checkpoints. */
  private final class OfCheckpoints implements Checkpoints.Owner {

    @Override
    public Deployment runningOrNull() {
      return running && stopped == null ? tasks : null;
    }

    @Override
    public boolean isOver() {
      return over;
    }

    @Override
    public void completed(Completed checkpoint) {
      events.completed(checkpoint, options);
      if (checkpoint.barrier().kind().stops()) {
        stopped = checkpoint.barrier().kind();
        drained |= stopped == Kind.DRAIN;
      }
    }

    /** Flink fails a job whose stop fails, and begins again. */
    @Override
    public void stopFailed() {
      restart(0);
    }
  }

  // What is known of it

  /** Returns in words where it is. */
  String state() {
    Completed newest = checkpoints.newest();
    return "%s, %s of %s tasks alive, checkpoint %s"
        .formatted(
            running ? "running" : "not running",
            tasks.alive().size(),
            tasks.count(),
            newest == null ? "none" : newest.barrier());
  }

  boolean isOver() {
    return over;
  }

  boolean isRunning() {
    return running;
  }

  /** Returns its newest checkpoint; null if there is none. */
  Completed newest() {
    return checkpoints.newest();
  }

  /** Returns what it was submitted with. */
  public JobOptions options() {
    return options;
  }

  public Deployment tasks() {
    return tasks;
  }

  public Checkpoints checkpoints() {
    return checkpoints;
  }

  public Steps steps() {
    return steps;
  }
}
