package dev.millrace.simulate.job;

import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Task;
import java.util.Map;

/** Hears what becomes of a job. */
public interface JobEvents {

  /**
   * Tasks begin.
   *
   * @param fromOrNull the checkpoint that they continue from
   */
  default void begins(Completed fromOrNull, JobOptions options) {}

  /** A task takes a message; not told of one that can't be reached any more. */
  default void takes(Task task, Object message) {}

  /** A message leaves a task; not told of one that can't be reached any more. */
  default void sends(Task task, Object message) {}

  /** The barrier of a checkpoint passes a task. */
  default void passes(Task task, Barrier barrier) {}

  /** Something is worked at. */
  void works(Task task, String what, long detail, byte[] bytesOrNull);

  /** Something happened to the whole job. */
  void happened(String what, long detail);

  /** A checkpoint is complete. */
  void completed(Completed checkpoint, JobOptions options);

  /** A file is in the place of models. */
  void wrote(WrittenFile file, JobOptions options);

  /** A task failed that nothing was done to. */
  void brokeDown(Task task, Exception cause);

  /**
   * All tasks have ended.
   *
   * @param last the newest checkpoint
   * @param drained whether there was more to read
   */
  void ended(Completed last, boolean drained);

  /** The job begins anew from an older checkpoint. */
  void rolledBack(Completed older);

  /** The job is submitted a second time: both go on from here. */
  void forked();

  /** A message leaves a task of the second job. */
  void sendsOfSecond(Object message);

  /** The second job has put a file into the place of models. */
  void wroteBySecond(WrittenFile file, JobOptions options);

  /** A person has put a model back, and nobody is at the place of models. */
  void held(Map<String, byte[]> files);

  /** A record has come to the topic of models. */
  default void sent(SimulatedModelTopic topic) {}

  /** A checkpoint of a second job, which publishes to the same place, is complete. */
  void completedBySecond(Completed checkpoint);

  /** The savepoint that the job was stopped with is complete, and all tasks are closed. */
  void stopped(Completed savepoint);
}
