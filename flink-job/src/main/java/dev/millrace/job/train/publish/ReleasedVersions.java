package dev.millrace.job.train.publish;

import dev.millrace.exchange.flink.PendingCheckpoints;
import dev.millrace.model.ModelVersion;
import java.util.Optional;

/**
 * Which versions are released, and which of them each checkpoint covers: those released before its
 * barrier. Versions only grow, across restores too.
 *
 * <p>Not thread-safe.
 */
final class ReleasedVersions {

  private final PendingCheckpoints<ModelVersion> pending = new PendingCheckpoints<>();
  private Optional<ModelVersion> newest;

  /**
   * @param restored the newest version released before the checkpoint that the job resumes from
   */
  ReleasedVersions(Optional<ModelVersion> restored) {
    this.newest = restored;
  }

  /**
   * A version is about to be released.
   *
   * @return whether it may be: it is newer than all before
   */
  boolean admit(ModelVersion version) {
    boolean newer = newest.isEmpty() || newest.get().compareTo(version) < 0;
    if (newer) {
      newest = Optional.of(version);
    }
    return newer;
  }

  /** The newest version released; empty before the first. */
  Optional<ModelVersion> newest() {
    return newest;
  }

  /** This checkpoint covers all that has been released so far. */
  void checkpoint(long checkpoint) {
    newest.ifPresent(version -> pending.add(checkpoint, version));
  }

  /**
   * The checkpoint is complete.
   *
   * @return the newest version that it covers and none before it did; empty if there is none
   */
  Optional<ModelVersion> complete(long checkpoint) {
    return pending.complete(checkpoint);
  }

  /** The checkpoint covers nothing. */
  void abort(long checkpoint) {
    pending.abort(checkpoint);
  }
}
