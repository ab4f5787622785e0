package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How sure it is that a snapshot stays part of its job's history. */
public enum SnapshotState {

  /**
   * Published at once. After a failure the job may go on from before it, so that what follows
   * doesn't descend from it; its version is never given to another model.
   */
  @JsonProperty("fresh")
  FRESH,

  /** A completed checkpoint covers it: all later models of the job descend from it. */
  @JsonProperty("committed")
  COMMITTED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
