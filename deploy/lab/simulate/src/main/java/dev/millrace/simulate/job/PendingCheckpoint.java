package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.SavedState;
import dev.millrace.simulate.task.Task;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A checkpoint that is being taken. */
final class PendingCheckpoint {

  private final Barrier barrier;
  private final Set<Task> awaited;
  private final Map<Task, List<SavedState>> states = new LinkedHashMap<>();

  /**
   * @param awaited the tasks that haven't ended
   */
  PendingCheckpoint(Barrier barrier, List<Task> awaited) {
    this.barrier = barrier;
    this.awaited = new LinkedHashSet<>(awaited);
  }

  Barrier barrier() {
    return barrier;
  }

  /** Whether a task has yet to save its part. */
  boolean awaits(Task task) {
    return awaited.contains(task) && !states.containsKey(task);
  }

  /** A task has saved its part. */
  void saved(Task task, List<SavedState> parts) {
    states.put(task, parts);
  }

  boolean isComplete() {
    return states.size() == awaited.size();
  }

  /**
   * Returns it, complete.
   *
   * @param beforeOrNull the one before it
   */
  Completed complete(Map<String, List<Task>> tasks, Completed beforeOrNull) {
    Map<String, List<List<SavedState>>> parts = new LinkedHashMap<>();
    Set<String> ended = new LinkedHashSet<>();
    boolean partly = false;
    for (var ofVertex : tasks.entrySet()) {
      String vertex = ofVertex.getKey();
      int over = (int) ofVertex.getValue().stream().filter(this::isOver).count();
      boolean allOver = over == ofVertex.getValue().size();
      if (allOver) {
        ended.add(vertex);
      }
      partly |= over > 0 && !allOver;
      boolean savesNothing = ofVertex.getValue().stream().noneMatch(states::containsKey);
      parts.put(
          vertex,
          allOver && savesNothing && beforeOrNull != null
              // Nobody restores it, but whoever looks at the end does.
              ? beforeOrNull.states().get(vertex)
              : parts(vertex, ofVertex.getValue()));
    }
    return new Completed(barrier, parts, ended, partly);
  }

  /**
   * Whether it isn't to begin again. One that has finished and waits for this checkpoint is: Flink
   * has it finish once more (DefaultCheckpointPlan).
   */
  private boolean isOver(Task task) {
    return !awaited.contains(task);
  }

  private List<List<SavedState>> parts(String vertex, List<Task> tasks) {
    List<List<SavedState>> parts = new ArrayList<>();
    for (Task task : tasks) {
      parts.add(
          states.getOrDefault(task, Collections.nCopies(Graph.parts(vertex), SavedState.NONE)));
    }
    return parts;
  }
}
