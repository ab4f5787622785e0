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
    /** The job continues from it after a failure. */
    CHECKPOINT,
    /** A job continues from it with other options, or another job does. */
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
