package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.SavedState;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A completed checkpoint.
 *
 * @param barrier its own
 * @param states by task and subtask, of source and operators
 * @param ended tasks all of whose subtasks had finished
 * @param partlyEnded whether some subtasks of a task had, and others not
 */
public record Completed(
    Barrier barrier,
    Map<String, List<List<SavedState>>> states,
    Set<String> ended,
    boolean partlyEnded) {

  /** Returns what each subtask has of one part of a task's state. */
  public List<SavedState> part(String vertex, int part) {
    return states.get(vertex).stream().map(parts -> parts.get(part)).toList();
  }

  /** Returns what a subtask gets of it, with as many subtasks as it then has. */
  SavedState deal(String vertex, int part, int subtask, int subtasks) {
    return SavedState.deal(part(vertex, part), subtask, subtasks, Graph.KEY_GROUPS);
  }
}
