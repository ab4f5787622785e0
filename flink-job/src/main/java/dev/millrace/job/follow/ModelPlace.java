package dev.millrace.job.follow;

import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.io.Serializable;

/** Where served models come from; opened where the scorer runs. */
public interface ModelPlace extends Serializable {

  SnapshotFeed open() throws IOException;

  /** Returns the place as messages name it. */
  @Override
  String toString();
}
