package dev.millrace.job.follow;

import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;

/** Where served models come from; opened where the scorer runs. */
public interface ModelPlace extends Serializable {

  SnapshotFeed open() throws IOException;

  /** Returns where the rows are that models of examples with ids take, if anywhere. */
  default Optional<RowPlace> rows() {
    return Optional.empty();
  }

  /** Returns where updates of the models are, if anywhere. */
  default Optional<UpdatePlace> updates() {
    return Optional.empty();
  }

  /** Returns the place as messages name it. */
  @Override
  String toString();
}
