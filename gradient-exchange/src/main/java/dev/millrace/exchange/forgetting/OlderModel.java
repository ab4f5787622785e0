package dev.millrace.exchange.forgetting;

import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.IndexRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An older global model, which a replica goes back towards after each of its steps. Decoupled from
 * the gradient, as AdamW's decay is, so that no updater divides it away: {@code value −= min(1,
 * strength · importance) · (value − older)}, where the mean of the importance is 1.
 *
 * <p>It is part of the replica's checkpoint. Under a schedule that waits, all replicas that are in
 * the round of a moment keep that round's model. One that is idle then keeps the model that it
 * makes its next step from, which may be of a later round. Importance is each one's own, measured
 * on its own examples.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
public final class OlderModel implements ReplicaHook, HookState.Own {

  private static final int FORMAT = 1;

  /** Values that are read and written at once. */
  private static final int PIECE = 1 << 16;

  private final ModelReplica model;
  private final OlderModelPenalty attraction;
  private final double strength;
  private final List<IndexRange> pulled;
  private final float[] piece;
  private final Importance importanceOrNull;
  private float[] valuesOrNull;
  private long passed;

  /**
   * Counts the moments whose last one it has the model of; for a model of a checkpoint, those of
   * then, until a head has come.
   */
  private long kept;

  /** Whether {@link #kept} counts other moments, before the options changed. */
  private boolean keptIsOfOthers;

  /**
   * @param strength of each step, as this replica's part of the whole job's
   */
  public OlderModel(ModelReplica model, OlderModelPenalty attraction, double strength) {
    int parameters = model.spec().parameters();
    this.model = model;
    this.attraction = attraction;
    this.strength = strength;
    this.pulled = trained(model.spec());
    this.piece = new float[Math.min(PIECE, parameters)];
    this.importanceOrNull =
        attraction.importanceInterval() > 0
            ? new Importance(
                parameters, attraction.importanceInterval(), attraction.importanceDecay())
            : null;
  }

  /** All parameters but running statistics, which tell of what was seen, and what is frozen. */
  private static List<IndexRange> trained(ModelSpec spec) {
    List<IndexRange> ranges = new ArrayList<>();
    int from = 0;
    List<IndexRange> left =
        Stream.concat(spec.runningStatistics().stream(), spec.frozen().parameters().stream())
            .sorted(Comparator.comparingInt(IndexRange::from))
            .toList();
    for (IndexRange range : left) {
      if (range.from() > from) {
        ranges.add(new IndexRange(from, range.from()));
      }
      from = Math.max(from, range.to());
    }
    if (spec.parameters() > from) {
      ranges.add(new IndexRange(from, spec.parameters()));
    }
    return List.copyOf(ranges);
  }

  @Override
  public void begin(float[] vector) {
    if (attraction.moment() == OlderModelPenalty.Moment.INITIAL) {
      valuesOrNull = Arrays.copyOf(vector, model.spec().parameters());
      kept = 1;
    }
  }

  @Override
  public void accept(RoundHead head) {
    passed = attraction.passed(head);
    if (keptIsOfOthers) {
      kept = passed;
      keptIsOfOthers = false;
    }
  }

  /** Keeps the global model's parameters where a moment has passed, as those of the last one. */
  @Override
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    if (isDue()) {
      keep(global.get());
    }
  }

  /** Whether a moment has passed whose global model is to be kept. */
  boolean isDue() {
    return passed > kept;
  }

  /** Keeps parameters, which must never change, as those of the last moment. */
  void keep(float[] global) {
    valuesOrNull = global;
    kept = passed;
    if (importanceOrNull != null) {
      importanceOrNull.closePeriod();
    }
  }

  @Override
  public void afterStep(Minibatch minibatch, float[] predictions) {
    if (importanceOrNull != null) {
      importanceOrNull.stepped(model, minibatch);
    }
    if (valuesOrNull != null) {
      pulled.forEach(this::pull);
    }
  }

  private void pull(IndexRange range) {
    float[] weights = importanceOrNull == null ? null : importanceOrNull.knownOrNull();
    for (int from = range.from(); from < range.to(); from += piece.length) {
      int size = Math.min(piece.length, range.to() - from);
      model.read(from, piece, 0, size);
      if (weights == null) {
        pull(piece, valuesOrNull, from, (float) Math.min(1, strength), size);
      } else {
        float factor = (float) (strength / importanceOrNull.mean());
        pull(piece, valuesOrNull, weights, from, factor, size);
      }
      model.write(from, piece, 0, size);
    }
  }

  private static void pull(float[] values, float[] older, int from, float share, int size) {
    for (int i = 0; i < size; i++) {
      values[i] -= share * (values[i] - older[from + i]);
    }
  }

  private static void pull(
      float[] values, float[] older, float[] weights, int from, float factor, int size) {
    for (int i = 0; i < size; i++) {
      values[i] -= Math.min(1, factor * weights[from + i]) * (values[i] - older[from + i]);
    }
  }

  @Override
  public Optional<HookState> state() {
    return Optional.of(this);
  }

  @Override
  public String name() {
    return "older-model";
  }

  /** Saves the model as it is now, in values that stay as they are. */
  @Override
  public Saved save(int replica) {
    return new Saved(
        replica,
        !keptIsOfOthers,
        attraction.moment(),
        attraction.every(),
        kept,
        valuesOrNull,
        importanceOrNull == null ? null : importanceOrNull.save());
  }

  /**
   * Continues from what this replica had saved; a newcomer, from another's model and importance.
   * Where it was kept at other moments, it stays until the next one of today's.
   *
   * @param replica this one's number
   */
  @Override
  public void restore(int replica, DataInput in) throws IOException {
    Saved saved = Saved.read(in);
    kept = saved.kept;
    keptIsOfOthers = !saved.isOf(attraction) && saved.valuesOrNull != null;
    valuesOrNull = saved.valuesOrNull;
    if (importanceOrNull != null && saved.importanceOrNull != null) {
      if (saved.replica == replica) {
        importanceOrNull.restore(saved.importanceOrNull);
      } else {
        importanceOrNull.adopt(saved.importanceOrNull);
      }
    }
  }

  static void writeOrNull(float[] valuesOrNull, DataOutput out) throws IOException {
    out.writeBoolean(valuesOrNull != null);
    if (valuesOrNull != null) {
      BulkArrays.writeFloats(out, valuesOrNull);
    }
  }

  static float[] readOrNull(DataInput in) throws IOException {
    return in.readBoolean() ? BulkArrays.readFloats(in) : null;
  }

  /** Holds what a checkpoint has of it. Never changes. */
  static final class Saved implements HookState.Own.Saved {

    private final int replica;
    private final boolean isOfMoment;
    private final OlderModelPenalty.Moment moment;
    private final long every;
    private final long kept;
    private final float[] valuesOrNull;
    private final Importance.Saved importanceOrNull;

    private Saved(
        int replica,
        boolean isOfMoment,
        OlderModelPenalty.Moment moment,
        long every,
        long kept,
        float[] valuesOrNull,
        Importance.Saved importanceOrNull) {
      this.replica = replica;
      this.isOfMoment = isOfMoment;
      this.moment = moment;
      this.every = every;
      this.kept = kept;
      this.valuesOrNull = valuesOrNull;
      this.importanceOrNull = importanceOrNull;
    }

    /** Whether what is kept is counted in the same moments. */
    private boolean isOf(OlderModelPenalty attraction) {
      return isOfMoment
          && moment == attraction.moment()
          && (moment != OlderModelPenalty.Moment.PERIODIC || every == attraction.every());
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(FORMAT);
      out.writeInt(replica);
      out.writeBoolean(isOfMoment);
      out.writeUTF(moment.name());
      out.writeLong(every);
      out.writeLong(kept);
      writeOrNull(valuesOrNull, out);
      out.writeBoolean(importanceOrNull != null);
      if (importanceOrNull != null) {
        importanceOrNull.write(out);
      }
    }

    private static Saved read(DataInput in) throws IOException {
      WireFormat.readVersion(in, FORMAT, OlderModel.class);
      return new Saved(
          in.readInt(),
          in.readBoolean(),
          OlderModelPenalty.Moment.valueOf(in.readUTF()),
          in.readLong(),
          in.readLong(),
          readOrNull(in),
          in.readBoolean() ? Importance.Saved.read(in) : null);
    }
  }
}
