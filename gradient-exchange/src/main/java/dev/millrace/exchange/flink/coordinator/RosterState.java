package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.HopelessException;
import dev.millrace.exchange.publication.Occasion;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Accounts;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.RefusalStreaks;
import dev.millrace.exchange.round.Roster;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * What the coordinator keeps in a checkpoint.
 *
 * @param model with its lineage
 */
public record RosterState(
    SavedModel model, Roster roster, EarlyStop earlyStop, RefusalStreaks refusals) {

  /** Name of the state that it is kept in. */
  public static final String NAME = "roster";

  private static final int FORMAT = 1;

  /**
   * The state that a job starts with.
   *
   * @param saved what its checkpoint holds; empty if there is none to continue from
   * @throws HopelessException if the checkpoint doesn't fit
   */
  static RosterState open(RosterSettings settings, List<byte[]> saved) throws IOException {
    try {
      return saved.isEmpty() ? begin(settings) : restore(settings, saved.get(0));
    } catch (InvalidModelException e) {
      throw new HopelessException(e);
    }
  }

  private static RosterState begin(RosterSettings settings) {
    InitialGlobalModel start = settings.start();
    return new RosterState(
        start.model(),
        new Roster(
            Accounts.open(start.statistics(), start.iteration(), settings.reports().window())),
        new EarlyStop(settings.stopRules()),
        new RefusalStreaks());
  }

  /**
   * Reads what a checkpoint holds, for a job that continues from it.
   *
   * @return with this job's model and the checkpoint's lineage
   * @throws InvalidModelException if it is of another model, layout or standardization than this
   *     job's, naming the difference
   */
  public static RosterState restore(RosterSettings settings, byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    SavedModel savedModel = readModel(in);
    SavedModel model = settings.start().model();
    // Before the rest: of another model that may not even be readable.
    model.checkAgainst(savedModel);
    RosterState state =
        read(in, model.restoredFrom(savedModel), settings.stopRules(), settings.reports().window());
    settings.start().statistics().checkAgainst(state.roster().accounts().statistics());
    return state;
  }

  /** Reads what a checkpoint holds, whatever its model is. */
  public static RosterState read(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    SavedModel model = readModel(in);
    // The window as it was saved, whatever its length is.
    return read(in, model, StopRules.NONE, Long.MAX_VALUE);
  }

  private static SavedModel readModel(DataInputStream in) throws IOException {
    WireFormat.readVersion(in, FORMAT, RosterState.class);
    return SavedModel.WIRE.read(in);
  }

  private static RosterState read(
      DataInputStream in, SavedModel model, StopRules stopRules, long window) throws IOException {
    Roster roster = Roster.read(in, window);
    EarlyStop earlyStop = new EarlyStop(stopRules);
    earlyStop.read(in);
    RefusalStreaks refusals = new RefusalStreaks();
    refusals.read(in);
    return new RosterState(model, roster, earlyStop, refusals);
  }

  /** The coordinator's part of a model that is to be published, as it is now. */
  PublishedPart.Head publish(Occasion occasion, Set<Purpose> purposes) {
    Accounts accounts = roster.accounts();
    return new PublishedPart.Head(
        occasion,
        purposes,
        roster.version(),
        accounts.iteration(),
        accounts.statistics().copy(),
        accounts.ledger().copy(),
        accounts.measures(),
        model.lineage());
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(FORMAT);
    SavedModel.WIRE.write(model, out);
    roster.write(out);
    earlyStop.write(out);
    refusals.write(out);
    return bytes.toByteArray();
  }
}
