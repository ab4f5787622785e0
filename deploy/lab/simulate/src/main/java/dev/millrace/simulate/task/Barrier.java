package dev.millrace.simulate.task;

/**
 * A barrier of a checkpoint.
 *
 * @param checkpoint its number
 * @param kind of it
 */
public record Barrier(long checkpoint, Kind kind) {

  /** What a checkpoint is for. */
  public enum Kind {
    /** To continue from after a failure. */
    CHECKPOINT,
    /** To continue from with other options, or as another job. */
    SAVEPOINT,
    /** The job stops with it, and has more to learn. */
    STOP,
    /** The job ends with it, as if its input had ended. */
    DRAIN;

    /** Whether the job is over once it is complete. */
    public boolean stops() {
      return this == STOP || this == DRAIN;
    }
  }
}
