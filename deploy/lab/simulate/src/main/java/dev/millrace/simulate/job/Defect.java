package dev.millrace.simulate.job;

import dev.millrace.simulate.task.SavedState;
import java.util.List;

/**
 * Something that is wrong with a job, which runs have to find. Each may be of one run only.
 *
 * <p>Parts are those of a task's chain, a source first.
 */
public interface Defect {

  /** Nothing is wrong. */
  Defect NONE = new Defect() {};

  /** Returns what a checkpoint has in place of a subtask's state. */
  default SavedState save(String vertex, int part, SavedState state) {
    return state;
  }

  /** Returns what a subtask gets in place of its state. */
  default SavedState restore(String vertex, int part, SavedState state) {
    return state;
  }

  /** Returns what goes from one task to another in place of a message. */
  default List<Object> send(String from, String to, Object message) {
    return List.of(message);
  }

  /** Whether a subtask is told that a checkpoint is complete. */
  default boolean tells(String vertex, long checkpoint) {
    return true;
  }

  /** Returns what the place of models has in place of a file; null for nothing. */
  default byte[] store(String name, byte[] bytes) {
    return bytes;
  }
}
