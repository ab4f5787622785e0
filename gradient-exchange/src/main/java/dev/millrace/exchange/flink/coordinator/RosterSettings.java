package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.RefusalStreaks;
import dev.millrace.exchange.round.Roster;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.model.FeatureStatistics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the roster has to know.
 *
 * @param model the job's model and layout, kept with the state
 * @param statistics feature statistics to start from; no features where standardization is off
 * @param iteration optimizer steps to start from
 * @param schedule when replicas contribute
 * @param roundTimeout how long a round with a contribution waits for the others
 * @param patience how long it waits once half of them have contributed, as a multiple of the time
 *     that these took; 0 for no other end than the timeout
 * @param stopRules when training is over
 * @param mostRefusals how many refused contributions the job goes on after; 0 for any number
 * @param window examples that sliding measures cover
 * @param publication which models go to the publisher
 * @param generations which generations others have used
 * @param reportInterval least time between two reports
 * @param timeline whether each round's timeline is told
 */
public record RosterSettings(
    SavedModel model,
    FeatureStatistics statistics,
    long iteration,
    Schedule schedule,
    Duration roundTimeout,
    double patience,
    StopRules stopRules,
    long mostRefusals,
    long window,
    PublicationPlan publication,
    Generations generations,
    Duration reportInterval,
    boolean timeline)
    implements Serializable {

  /** Name of the state that the roster is kept in. */
  public static final String STATE = "roster";

  /**
   * Reads what a checkpoint's state holds.
   *
   * @throws dev.millrace.model.InvalidModelException if it is of another model, layout or
   *     standardization than this job's, naming the difference
   */
  public State restore(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    SavedModel savedModel = SavedModel.WIRE.read(in);
    model.checkAgainst(savedModel);
    Roster roster = Roster.read(in, window);
    statistics.checkAgainst(roster.accounts().statistics());
    EarlyStop earlyStop = new EarlyStop(stopRules);
    if (in.available() > 0) {
      // Earlier releases had no such rules.
      earlyStop.read(in);
    }
    RefusalStreaks refusals = new RefusalStreaks();
    if (in.available() > 0) {
      // Earlier releases kept none.
      refusals.read(in);
    }
    return new State(roster, model.restoredFrom(savedModel), earlyStop, refusals);
  }

  /**
   * What a checkpoint's state holds.
   *
   * @param model this job's, with the checkpoint's lineage
   */
  public record State(
      Roster roster, SavedModel model, EarlyStop earlyStop, RefusalStreaks refusals) {

    /** For {@link RosterSettings#restore}. */
    byte[] toBytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      SavedModel.WIRE.write(model, out);
      roster.write(out);
      earlyStop.write(out);
      refusals.write(out);
      return bytes.toByteArray();
    }
  }

  int blocks() {
    return model.layout().count();
  }
}
