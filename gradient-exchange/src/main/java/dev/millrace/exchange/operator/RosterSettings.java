package dev.millrace.exchange.operator;

import dev.millrace.exchange.round.Roster;
import dev.millrace.model.FeatureStatistics;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the roster has to know.
 *
 * @param model the job's model and layout, kept with the state
 * @param statistics feature statistics to start from; no features where standardization is off
 * @param iteration optimizer steps to start from
 * @param roundTimeout how long a round with a contribution waits for the others
 * @param window examples that sliding measures cover
 * @param publishEvery rounds between models for the publisher; 0 for none but the checkpoints'
 * @param reportInterval least time between two reports
 */
public record RosterSettings(
    SavedModel model,
    FeatureStatistics statistics,
    long iteration,
    Duration roundTimeout,
    long window,
    long publishEvery,
    Duration reportInterval)
    implements Serializable {

  /** Name of the state that the roster is kept in. */
  public static final String STATE = "roster";

  /**
   * The roster that a checkpoint's state holds.
   *
   * @throws dev.millrace.model.InvalidModelException if it is of another model, layout or
   *     standardization than this job's, naming the difference
   */
  public Roster restore(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    model.checkAgainst(SavedModel.WIRE.read(in));
    Roster restored = Roster.restore(in, window);
    statistics.checkAgainst(restored.accounts().statistics());
    return restored;
  }

  int blocks() {
    return model.layout().count();
  }
}
