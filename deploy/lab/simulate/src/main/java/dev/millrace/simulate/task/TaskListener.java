package dev.millrace.simulate.task;

import java.util.List;

/** Hears what becomes of tasks. */
public interface TaskListener {

  /** A task has failed. */
  void failed(Task task, Exception cause);

  /** A task has taken its part of a checkpoint; returns how long it takes to write it. */
  long writes(Task task, Barrier barrier);

  /**
   * A task has written its part of a checkpoint.
   *
   * @param states of its source, if it has one, and of its operators
   */
  void saved(Task task, Barrier barrier, List<SavedState> states);

  /** A task has ended. */
  void ended(Task task);

  /** A task takes a message. */
  void takes(Task task, Object message);

  /** A message leaves a task. */
  void sends(Task task, Object message);

  /** A task begins to work at something; for the trace. */
  void works(Task task, String what, long detail, byte[] bytesOrNull);
}
