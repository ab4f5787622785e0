package dev.millrace.exchange.steering;

import dev.millrace.model.features.FeatureStatistics;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Steers training by what contributions tell. The coordinator tells it of each contribution of a
 * round, in the same order after a restart as before, and asks it once what follows from the round.
 *
 * <p>All that it decides by is in its state, which is part of the coordinator's checkpoint. Belongs
 * to the coordinator's thread.
 */
public interface CoordinatorHook {

  /** Returns the name of its state in checkpoints, which no other hook has. */
  String name();

  /** Looks at the next contribution of the round that is being closed. */
  void add(ErrorTrace errors, FeatureStatistics statistics, FeatureSample sample);

  /**
   * Decides what follows from the round, all of whose contributions are added.
   *
   * @param examples that the job has learned
   * @param all statistics of the features of all rounds with this one
   */
  Verdict close(long examples, FeatureStatistics all);

  /** Returns metrics by their names. They are read by any thread. */
  default Map<String, LongSupplier> gauges() {
    return Map.of();
  }

  /** Writes what it keeps between rounds. */
  void write(DataOutput out) throws IOException;

  /** Goes on from what {@link #write} wrote, by rules of its own. */
  void read(DataInput in) throws IOException;
}
