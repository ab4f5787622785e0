package dev.millrace.job.train.publish;

import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.Serializable;

/**
 * Carries snapshots on to another place, once they are written. Called on the publisher's thread;
 * what it throws is logged, and keeps nothing else from going on.
 */
public interface ReleaseListener extends Serializable, AutoCloseable {

  /** A snapshot is whole, and served: the newest, or the one that a person has put back. */
  void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException;

  /**
   * A checkpoint covers a snapshot now.
   *
   * @param again whether this may have been told before, by an attempt that failed
   */
  void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again)
      throws IOException;

  /**
   * A snapshot was committed by a checkpoint before the one that this attempt goes on from. An
   * attempt that failed has told of it, and perhaps in vain.
   */
  default void committedBefore(SnapshotDescription snapshot) {
    // Most don't make up for what was missed.
  }

  /** This committed snapshot is served: the newest, or the one that is held. */
  default void served(ModelVersion committed) throws IOException {
    // Most take what is released.
  }

  /** An attempt of the job begins. */
  default void began() throws IOException {
    // Most wait for the first model.
  }

  /**
   * The attempt ends; called before {@link #close}.
   *
   * @param finished whether the job has come to its end, or was stopped, and hasn't failed
   */
  default void ended(boolean finished) throws IOException {
    // Most have told all by now.
  }

  @Override
  void close();
}
