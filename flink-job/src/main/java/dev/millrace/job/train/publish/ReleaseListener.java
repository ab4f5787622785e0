package dev.millrace.job.train.publish;

import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.Serializable;

/**
 * Carries snapshots on to another place, once they are written. Called on the publisher's thread;
 * what it throws is logged, and keeps nothing else from going on.
 */
public interface ReleaseListener extends Serializable, AutoCloseable {

  /** A snapshot is whole, and served. */
  void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException;

  /**
   * A checkpoint covers it now.
   *
   * @param served whether it is the newest such, and none is held
   */
  void committed(SnapshotDescription snapshot, SnapshotStore store, boolean served)
      throws IOException;

  @Override
  void close();
}
