package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Barrier.Kind;
import dev.millrace.simulate.task.Edge;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.task.TaskListener;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * One submission of a job: its JobManager, TaskManagers and tasks. It takes checkpoints, and begins
 * again from the newest when a task fails or a process is lost.
 */
public final class Job implements TaskListener {

  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  /** As Flink's default is ten minutes, this is short, so that many time out. */
  private static final long CHECKPOINT_TIMEOUT = 60 * SECOND;

  private final Timeline timeline;
  private final Chance chance;
  private final String name;
  private final JobOptions options;
  private final Graph graph;
  private final Defect defect;
  private final JobEvents events;
  private final Times times;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final Map<Task, Worker> workers = new LinkedHashMap<>();
  private final Map<Place, Long> armed = new java.util.EnumMap<>(Place.class);
  private final Set<Task> begun = new LinkedHashSet<>();

  /** Of processes that can't be reached any more. */
  private final Set<Task> abandoned = new LinkedHashSet<>();

  private Map<String, List<Task>> tasks = Map.of();

  private Completed newest;
  private Pending pending;
  private long nextCheckpoint;
  private int attempt;
  private int starts;
  private int incarnations;
  private boolean running;
  private boolean over;
  private Kind asked;
  private boolean drained;
  private int closing;

  private long writesFailUntil;
  private long writesSlowUntil;
  private long notificationsLateUntil;
  private long notificationsLostUntil;

  /**
   * How long things take, in microseconds.
   *
   * @param step a local step, at most
   * @param network a message, at most
   * @param checkpoints from one checkpoint to the next
   */
  public record Times(long step, long network, long checkpoints) {

    /** Draws any. */
    public static Times draw(Chance chance) {
      return new Times(
          chance.anyScale(50 * MILLI, 3 * SECOND),
          chance.anyScale(MILLI, 500 * MILLI),
          chance.anyScale(5 * SECOND, 60 * SECOND));
    }
  }

  /** A checkpoint that is being taken. */
  private static final class Pending {

    final Barrier barrier;
    final Map<Task, List<SavedState>> states = new LinkedHashMap<>();
    final Set<Task> finished = new LinkedHashSet<>();
    final Set<Task> awaited = new LinkedHashSet<>();
    boolean failed;

    Pending(Barrier barrier) {
      this.barrier = barrier;
    }
  }

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
    this.name = name;
    this.options = options;
    this.graph = graph;
    this.times = times;
    this.newest = fromOrNull;
    this.nextCheckpoint = fromOrNull == null ? 1 : fromOrNull.barrier().checkpoint() + 1;
    this.defect = defect;
    this.events = events;
    for (int i = 0; i < options.processes(); i++) {
      processes.add(process());
    }
  }

  private SimulatedProcess process() {
    return new SimulatedProcess(name + "-" + incarnations++);
  }

  /** Begins. */
  public void start() {
    begin();
    planCheckpoint();
  }

  private void begin() {
    if (over) {
      return;
    }
    starts++;
    running = true;
    events.happened("start", starts);
    Map<String, List<Task>> all = new LinkedHashMap<>();
    Chance places = chance.at("places").at(starts);
    int shift = places.below(processes.size());
    graph
        .subtasks()
        .forEach(
            (vertex, count) -> {
              List<Task> ofVertex = new ArrayList<>();
              for (int index = 0; index < count; index++) {
                int place = vertex.equals(Graph.EXCHANGE) ? places.below(64) : index;
                ofVertex.add(
                    new Task(
                        vertex,
                        index,
                        count,
                        attempt,
                        processes.get((place + shift) % processes.size()),
                        timeline,
                        this));
              }
              all.put(vertex, ofVertex);
            });
    tasks = all;
    workers.clear();
    graph.connect(all, this::latency);
    int start = starts;
    Chance delays = places.at("begin");
    for (List<Task> ofVertex : all.values()) {
      for (Task task : ofVertex) {
        var unused =
            timeline.in(
                delays.anyScale(MILLI, 5 * SECOND),
                () -> {
                  if (running && start == starts) {
                    begin(task);
                  }
                });
      }
    }
    begun.clear();
  }

  private void begin(Task task) {
    begun.add(task);
    if (newest != null && newest.ended().contains(task.vertex())) {
      task.endAtOnce();
      ended(task);
      return;
    }
    graph.fill(
        task,
        attempt,
        newest != null,
        injector(task),
        () -> {
          Worker worker = new Worker(timeline, task);
          workers.put(task, worker);
          return worker;
        });
    task.begin(
        states(task),
        newest == null ? OptionalLong.empty() : OptionalLong.of(newest.barrier().checkpoint()));
  }

  private List<SavedState> states(Task task) {
    List<SavedState> states = new ArrayList<>();
    for (int part = 0; part < Graph.parts(task.vertex()); part++) {
      states.add(
          newest == null || !newest.states().containsKey(task.vertex())
              ? SavedState.NONE
              : defect.restore(
                  task.vertex(),
                  part,
                  SavedState.deal(
                      newest.part(task.vertex(), part),
                      task.index(),
                      tasks.get(task.vertex()).size(),
                      Graph.KEY_GROUPS)));
    }
    return states;
  }

  private LongSupplier latency(Task from, Task to) {
    Chance ofEdge =
        chance.at("network").at(from.vertex()).at(from.index()).at(to.vertex()).at(to.index());
    return from.process() == to.process()
        ? () -> ofEdge.anyScale(10, MILLI)
        : () -> ofEdge.anyScale(100, times.network());
  }

  private FaultInjector injector(Task task) {
    Chance steps = chance.at("steps").at(task.vertex()).at(task.index());
    return new Faults(task, steps);
  }

  /** Gives work its time, and fails where that was asked for. */
  private final class Faults implements FaultInjector {

    private static final long serialVersionUID = 1;

    private final transient Task task;
    private final transient Chance steps;

    Faults(Task task, Chance steps) {
      this.task = task;
      this.steps = steps;
    }

    @Override
    public void reach(Place place, int subtask) {
      if (place == Place.LOCAL_STEP) {
        task.spend(steps.between(times.step() / 3, times.step()));
      }
      Long left = armed.get(place);
      if (left != null) {
        if (left == 0) {
          armed.remove(place);
          throw new InjectedException(place + " of " + subtask);
        }
        armed.put(place, left - 1);
      }
    }

    @Override
    public boolean handsOver() {
      return options.direct();
    }
  }

  // Checkpoints

  private void planCheckpoint() {
    var unused =
        timeline.in(
            times.checkpoints(),
            () -> {
              if (!over) {
                trigger(Kind.CHECKPOINT);
                planCheckpoint();
              }
            });
  }

  /**
   * Takes a checkpoint, if none is being taken and all tasks are there.
   *
   * @return whether it is
   */
  boolean trigger(Kind kind) {
    if (!running || pending != null || asked != null || begun.size() < count()) {
      return false;
    }
    pending = new Pending(new Barrier(nextCheckpoint++, kind));
    events.happened("checkpoint", pending.barrier.checkpoint());
    List<Task> roots = new ArrayList<>();
    for (List<Task> ofVertex : tasks.values()) {
      for (Task task : ofVertex) {
        if (task.isAlive()) {
          pending.awaited.add(task);
          if (task.isRoot()) {
            roots.add(task);
          }
        }
      }
    }
    Barrier barrier = pending.barrier;
    Chance delays = chance.at("trigger").at(barrier.checkpoint());
    for (Task root : roots) {
      var unused =
          timeline.in(
              delays.anyScale(100, times.network()),
              () -> {
                if (root.isAlive()) {
                  root.trigger(barrier);
                }
              });
    }
    Pending own = pending;
    var unused =
        timeline.in(
            CHECKPOINT_TIMEOUT,
            () -> {
              if (pending == own) {
                abort();
              }
            });
    return true;
  }

  private long count() {
    return tasks.values().stream().mapToInt(List::size).sum();
  }

  /** Gives up the checkpoint that is being taken, if there is one. */
  public void abort() {
    if (pending == null) {
      return;
    }
    Barrier barrier = pending.barrier;
    pending = null;
    events.happened("aborted", barrier.checkpoint());
    Chance delays = chance.at("abort").at(barrier.checkpoint());
    for (Task task : all()) {
      var unused =
          timeline.in(
              delays.anyScale(100, times.network()), () -> task.aborted(barrier.checkpoint()));
    }
    if (barrier.kind().stops()) {
      // Flink fails a job whose stop fails, and begins again.
      restart(0);
    }
  }

  private List<Task> all() {
    return tasks.values().stream().flatMap(List::stream).toList();
  }

  @Override
  public long writes(Task task, Barrier barrier) {
    return chance
        .at("write")
        .at(barrier.checkpoint())
        .at(task.vertex())
        .at(task.index())
        .anyScale(MILLI, timeline.now() < writesSlowUntil ? 90 * SECOND : SECOND);
  }

  @Override
  public void saved(Task task, Barrier barrier, List<SavedState> states, boolean finished) {
    if (pending == null || !pending.barrier.equals(barrier)) {
      events.happened("late", barrier.checkpoint());
      return;
    }
    if (timeline.now() < writesFailUntil) {
      events.happened("torn", barrier.checkpoint());
      abort();
      return;
    }
    pending.states.put(task, states);
    if (finished) {
      pending.finished.add(task);
    }
    lookWhetherComplete();
  }

  private void lookWhetherComplete() {
    if (pending != null && pending.states.keySet().containsAll(pending.awaited)) {
      Pending complete = pending;
      pending = null;
      complete(complete);
    }
  }

  private void complete(Pending complete) {
    Map<String, List<List<SavedState>>> states = new LinkedHashMap<>();
    Set<String> ended = new LinkedHashSet<>();
    boolean partly = false;
    for (var ofVertex : tasks.entrySet()) {
      List<List<SavedState>> parts = new ArrayList<>();
      int endedTasks = 0;
      for (Task task : ofVertex.getValue()) {
        boolean before = !complete.awaited.contains(task);
        List<SavedState> own = complete.states.get(task);
        parts.add(own == null ? none(ofVertex.getKey()) : own);
        endedTasks += before || complete.finished.contains(task) ? 1 : 0;
      }
      boolean stops = complete.barrier.kind() == Kind.STOP;
      if (endedTasks == parts.size() && !stops) {
        ended.add(ofVertex.getKey());
        if (newest != null
            && ofVertex.getValue().stream().noneMatch(complete.states::containsKey)) {
          // Nobody asks for it, but whoever looks at the end does.
          parts = newest.states().get(ofVertex.getKey());
        }
      } else if (endedTasks > 0 && !stops) {
        partly = true;
      }
      states.put(ofVertex.getKey(), parts);
    }
    newest = new Completed(complete.barrier, states, ended, partly);
    long checkpoint = newest.barrier().checkpoint();
    events.happened("complete", checkpoint);
    events.completed(newest, options);
    if (complete.barrier.kind() == Kind.STOP || complete.barrier.kind() == Kind.DRAIN) {
      asked = complete.barrier.kind();
      drained |= asked == Kind.DRAIN;
    }
    notifyAll(checkpoint);
  }

  private static List<SavedState> none(String vertex) {
    return java.util.Collections.nCopies(Graph.parts(vertex), SavedState.NONE);
  }

  private void notifyAll(long checkpoint) {
    Chance delays = chance.at("notify").at(checkpoint);
    boolean late = timeline.now() < notificationsLateUntil && asked == null;
    boolean lost = timeline.now() < notificationsLostUntil && asked == null;
    for (Task task : all()) {
      if (lost && delays.says(0.5)) {
        continue;
      }
      var unused =
          timeline.in(
              delays.anyScale(100, late ? 90 * SECOND : times.network()),
              () -> task.completed(checkpoint));
    }
  }

  // Failures

  @Override
  public void failed(Task task, Exception cause) {
    if (!tasks.getOrDefault(task.vertex(), List.of()).contains(task)) {
      return;
    }
    if (!InjectedException.causes(cause)) {
      events.brokeDown(task, cause);
    }
    events.happened("failed", task.index());
    restart(0);
  }

  /** Begins again from the newest checkpoint, once all tasks are closed. */
  private void restart(long least) {
    if (!running || over) {
      return;
    }
    running = false;
    attempt++;
    pending = null;
    asked = null;
    int start = starts;
    closing = 0;
    List<Task> toClose = all().stream().filter(Task::isAlive).toList();
    closing = toClose.size();
    Chance delays = chance.at("restart").at(starts);
    long delay = Math.max(least, delays.anyScale(100 * MILLI, 20 * SECOND));
    if (toClose.isEmpty()) {
      planBegin(delay, start);
    }
    for (Task task : toClose) {
      var unused =
          timeline.in(
              delays.anyScale(100, times.network()),
              () ->
                  task.cancel(
                      () -> {
                        closing--;
                        if (closing == 0) {
                          planBegin(delay, start);
                        }
                      }));
    }
  }

  private void planBegin(long delay, int start) {
    var unused =
        timeline.in(
            delay,
            () -> {
              if (start == starts) {
                begin();
              }
            });
  }

  /** A process dies, and another takes its place. */
  public void kill(int number) {
    SimulatedProcess victim = processes.get(number % processes.size());
    processes.set(number % processes.size(), process());
    for (Task task : all()) {
      if (task.process() == victim) {
        die(task);
      }
    }
    restart(0);
  }

  private void die(Task task) {
    Worker worker = workers.get(task);
    if (worker != null) {
      worker.die();
    }
    task.die();
  }

  /** A process can't be reached any more, and works on for a while. */
  public void isolate(int number, long micros) {
    SimulatedProcess victim = processes.get(number % processes.size());
    processes.set(number % processes.size(), process());
    for (Task task : all()) {
      if (task.process() == victim) {
        task.cutOff();
        var unused = timeline.in(micros, () -> die(task));
        abandoned.add(task);
      }
    }
    restartWithout(victim);
  }

  private void restartWithout(SimulatedProcess victim) {
    Map<String, List<Task>> left = new LinkedHashMap<>();
    tasks.forEach(
        (vertex, ofVertex) ->
            left.put(vertex, ofVertex.stream().filter(task -> task.process() != victim).toList()));
    tasks = left;
    restart(0);
  }

  /** The JobManager dies, and another continues from what is stored. */
  public void loseJobManager() {
    if (running) {
      restart(chance.at("failover").at(starts).anyScale(SECOND, 30 * SECOND));
      attempt = 0;
    }
  }

  /** A task fails when it comes to a place for the n-th time from now on. */
  public void throwAt(Place place, long times) {
    armed.put(place, times);
  }

  /** A task does nothing for a while. */
  public void stall(int number, long micros) {
    List<Task> all = all();
    if (!all.isEmpty()) {
      all.get(number % all.size()).stall(micros);
    }
  }

  /** What goes to a task over one edge is late. */
  public void delay(int number, long micros) {
    List<Edge> edges = all().stream().flatMap(task -> task.inputs().stream()).toList();
    if (!edges.isEmpty()) {
      edges.get(number % edges.size()).delay(timeline.now() + micros);
    }
  }

  /** Parts of checkpoints can't be written for a while. */
  public void failWrites(long micros) {
    writesFailUntil = timeline.now() + micros;
  }

  /** Parts of checkpoints take long to be written for a while. */
  public void slowWrites(long micros) {
    writesSlowUntil = timeline.now() + micros;
  }

  /** That a checkpoint is complete is told late for a while, even after a newer one. */
  public void tellLate(long micros) {
    notificationsLateUntil = timeline.now() + micros;
  }

  /** That a checkpoint is complete is told to some only, for a while. */
  public void tellSome(long micros) {
    notificationsLostUntil = timeline.now() + micros;
  }

  // The end

  @Override
  public void ended(Task task) {
    if (over || !running || begun.size() < count()) {
      return;
    }
    if (pending != null && pending.awaited.contains(task) && !pending.states.containsKey(task)) {
      abort();
    }
    if (all().stream().noneMatch(Task::isAlive)) {
      over = true;
      if (asked == Kind.STOP) {
        events.stopped(newest);
      } else {
        events.ended(newest, drained);
      }
    }
  }

  /** Cancels it, as a user does. */
  void cancel(Runnable closed) {
    over = true;
    running = false;
    pending = null;
    List<Task> toClose = all().stream().filter(Task::isAlive).toList();
    closing = toClose.size();
    if (toClose.isEmpty()) {
      closed.run();
    }
    for (Task task : toClose) {
      task.cancel(
          () -> {
            closing--;
            if (closing == 0) {
              closed.run();
            }
          });
    }
  }

  /** Lets go of everything, when a run ends in the middle of it. */
  void discard() {
    over = true;
    for (Task task : all()) {
      die(task);
    }
    abandoned.forEach(this::die);
  }

  /** Returns in words where it is. */
  String state() {
    return "%s, %s of %s tasks alive, checkpoint %s"
        .formatted(
            running ? "running" : "not running",
            all().stream().filter(Task::isAlive).count(),
            count(),
            newest == null ? "none" : newest.barrier());
  }

  boolean isOver() {
    return over;
  }

  boolean isRunning() {
    return running;
  }

  Completed newest() {
    return newest;
  }

  /** Returns what it was submitted with. */
  public JobOptions options() {
    return options;
  }

  @Override
  public void works(Task task, String what, long detail, byte[] bytesOrNull) {
    events.works(task, what, detail, bytesOrNull);
  }
}
