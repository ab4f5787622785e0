package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RefusalStreaks;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
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
public record CoordinatorState(
    SavedModel model, Coordinator coordinator, EarlyStop earlyStop, RefusalStreaks refusals) {

  /** Name of the state that it is kept in. */
  public static final String NAME = "coordinator";

  private static final int FORMAT = 1;

  /**
   * The state that a job starts with.
   *
   * @param saved what its checkpoint holds; empty if there is none to continue from
   * @throws NonRecoverableException if the checkpoint doesn't fit
   */
  public static CoordinatorState open(CoordinatorSettings settings, List<byte[]> saved)
      throws IOException {
    try {
      return saved.isEmpty() ? begin(settings) : restore(settings, saved.get(0));
    } catch (InvalidModelException e) {
      throw new NonRecoverableException(e);
    }
  }

  private static CoordinatorState begin(CoordinatorSettings settings) {
    InitialGlobalModel start = settings.start();
    return new CoordinatorState(
        start.model(),
        new Coordinator(
            ModelTotals.open(
                start.learned(),
                start.iteration(),
                settings.reports().window(),
                settings.batchSize().ofJob()),
            settings.steering().hook()),
        new EarlyStop(settings.stopRules()),
        new RefusalStreaks());
  }

  /**
   * Reads what a checkpoint holds, for a job that continues from it.
   *
   * @return with this job's model, and its clip of features where it asks for one; with the
   *     checkpoint's lineage
   * @throws InvalidModelException if it is of another model, layout or standardization than this
   *     job's, naming the difference
   */
  public static CoordinatorState restore(CoordinatorSettings settings, byte[] saved)
      throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    boolean gathered = readGathered(in);
    SavedModel savedModel = SavedModel.WIRE.read(in);
    SavedModel model = settings.start().model();
    // Before the rest: of another model that may not even be readable.
    model.checkAgainst(savedModel);
    CoordinatorState state =
        read(
            in,
            model.restoredFrom(savedModel),
            settings.stopRules(),
            settings.reports().window(),
            settings.batchSize().ofJob(),
            settings.steering().hook());
    int underWay = state.coordinator().contributionsUnderWay().size();
    if (gathered && !settings.gathers() && underWay > 0) {
      throw new InvalidModelException(
          ("In the checkpoint %s contributions may wait to be combined by process, and this job,"
                  + " which doesn't combine them there, would lose them. Submit it with"
                  + " contributions combined by process, as they were")
              .formatted(underWay));
    }
    LearnedFeatures learned = state.coordinator().totals().learned();
    settings.start().learned().checkAgainst(learned);
    if (settings.start().clipOrNull() != null) {
      learned.statistics().setClip(settings.start().clipOrNull());
    }
    return state;
  }

  /** Reads what a checkpoint holds, whatever its model is. */
  public static CoordinatorState read(byte[] saved) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    boolean unused = readGathered(in);
    SavedModel model = SavedModel.WIRE.read(in);
    // The window as it was saved, whatever its length is; and nothing will be added.
    return read(in, model, StopRules.NONE, Long.MAX_VALUE, 1, NoSteering.NONE);
  }

  /** Reads what a checkpoint holds, whatever its model is, to go on with a job's settings. */
  public static CoordinatorState readFor(CoordinatorSettings settings, byte[] saved)
      throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
    boolean unused = readGathered(in);
    return read(
        in,
        SavedModel.WIRE.read(in),
        settings.stopRules(),
        settings.reports().window(),
        settings.batchSize().ofJob(),
        NoSteering.NONE);
  }

  /** Returns the same of another model. */
  public CoordinatorState of(SavedModel other) {
    return new CoordinatorState(other, coordinator, earlyStop, refusals);
  }

  /** Whether gatherers of the job keep contributions in a state of theirs. */
  private static boolean readGathered(DataInputStream in) throws IOException {
    WireFormat.readVersion(in, FORMAT, CoordinatorState.class);
    return in.readBoolean();
  }

  private static CoordinatorState read(
      DataInputStream in,
      SavedModel model,
      StopRules stopRules,
      long window,
      int ofStep,
      CoordinatorHook steering)
      throws IOException {
    Coordinator coordinator = Coordinator.read(in, window, ofStep, steering);
    EarlyStop earlyStop = new EarlyStop(stopRules);
    earlyStop.read(in);
    RefusalStreaks refusals = new RefusalStreaks();
    refusals.read(in);
    return new CoordinatorState(model, coordinator, earlyStop, refusals);
  }

  /** The coordinator's part of a model that is to be published, as it is now. */
  public PublishedPart.Head publish(PublicationTrigger trigger, Set<Purpose> purposes) {
    ModelTotals totals = coordinator.totals();
    return new PublishedPart.Head(
        trigger,
        purposes,
        coordinator.version(),
        totals.progress().steps(),
        totals.learned().copy(),
        totals.ledger().copy(),
        totals.measures(),
        model.lineage());
  }

  /** {@code gathers} is whether contributions that wait may be with gatherers. */
  public byte[] toBytes(boolean gathers) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(FORMAT);
    out.writeBoolean(gathers);
    SavedModel.WIRE.write(model, out);
    coordinator.write(out);
    earlyStop.write(out);
    refusals.write(out);
    return bytes.toByteArray();
  }
}
