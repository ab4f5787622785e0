package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.simulate.task.Edge;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Timeline;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The tasks of one start of a job, and what is beside them in their processes. */
public final class Deployment {

  private final Timeline timeline;
  private final Map<String, List<Task>> tasks;
  private final Map<Task, Worker> workers = new LinkedHashMap<>();
  private final Set<Task> begun = new LinkedHashSet<>();

  /** Tasks of processes that can't be reached any more. */
  private final Set<Task> abandoned = new LinkedHashSet<>();

  private int closing;

  /**
   * @param tasks by vertex, each behind its inputs
   */
  Deployment(Timeline timeline, Map<String, List<Task>> tasks) {
    this.timeline = timeline;
    this.tasks = new LinkedHashMap<>(tasks);
  }

  /** Returns those that can be reached, by vertex. */
  Map<String, List<Task>> byVertex() {
    return tasks;
  }

  List<Task> all() {
    return tasks.values().stream().flatMap(List::stream).toList();
  }

  List<Task> alive() {
    return all().stream().filter(Task::isAlive).toList();
  }

  int count() {
    return tasks.values().stream().mapToInt(List::size).sum();
  }

  boolean has(Task task) {
    return tasks.getOrDefault(task.vertex(), List.of()).contains(task);
  }

  /** A task begins. */
  void begins(Task task) {
    begun.add(task);
  }

  /** Whether all have begun. */
  boolean haveBegun() {
    return begun.size() >= count();
  }

  /** Returns the thread beside a task. */
  Worker worker(Task task) {
    return workers.computeIfAbsent(task, any -> new Worker(timeline, task));
  }

  /** A process dies. */
  void kill(SimulatedProcess victim) {
    for (Task task : all()) {
      if (task.process() == victim) {
        die(task);
      }
    }
  }

  /** A process can't be reached any more, and dies after a while. */
  void isolate(SimulatedProcess victim, long micros) {
    for (Task task : all()) {
      if (task.process() == victim) {
        task.cutOff();
        abandoned.add(task);
        timeline.in(micros, () -> die(task));
      }
    }
    tasks.replaceAll(
        (vertex, ofVertex) -> ofVertex.stream().filter(task -> task.process() != victim).toList());
  }

  private void die(Task task) {
    Worker worker = workers.get(task);
    if (worker != null) {
      worker.die();
    }
    task.die();
  }

  /** Lets go of everything, in the middle of it. */
  void discard() {
    all().forEach(this::die);
    abandoned.forEach(this::die);
  }

  /**
   * Cancels all tasks.
   *
   * @param delays until each hears of it
   * @param closed is run when all are closed
   */
  void cancel(LongSupplier delays, Runnable closed) {
    List<Task> toClose = alive();
    closing = toClose.size();
    if (toClose.isEmpty()) {
      closed.run();
    }
    Runnable one =
        () -> {
          closing--;
          if (closing == 0) {
            closed.run();
          }
        };
    for (Task task : toClose) {
      timeline.in(delays.getAsLong(), () -> task.cancel(one));
    }
  }

  /** A task does nothing for a while. */
  public void stall(int number, long micros) {
    List<Task> all = all();
    if (!all.isEmpty()) {
      all.get(number % all.size()).stall(micros);
    }
  }

  /** Makes what goes to a task over one edge late. */
  public void delay(int number, long micros) {
    List<Edge> edges = all().stream().flatMap(task -> task.inputs().stream()).toList();
    if (!edges.isEmpty()) {
      edges.get(number % edges.size()).delay(timeline.now() + micros);
    }
  }
}
