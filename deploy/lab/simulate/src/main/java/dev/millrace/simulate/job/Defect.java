package dev.millrace.simulate.job;

import dev.millrace.simulate.task.SavedState;

/** Something wrong with how a task is restored, which a run has to find. */
@FunctionalInterface
public interface Defect {

  /** Nothing is wrong. */
  Defect NONE = (vertex, part, state) -> state;

  /**
   * Returns what a subtask gets in place of its state.
   *
   * @param part of its chain, a source first
   */
  SavedState restore(String vertex, int part, SavedState state);
}
