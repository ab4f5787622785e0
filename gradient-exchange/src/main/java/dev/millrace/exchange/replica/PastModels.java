package dev.millrace.exchange.replica;

import dev.millrace.exchange.drift.PastLosses;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.BulkArrays;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The global models of the newest drifts, numbered from 1. After a drift each predicts examples
 * that are about to be learned, beside the model in training, so that the coordinator can see
 * whether one of them fits the new data.
 *
 * <p>They are part of the replica's checkpoint. All replicas keep the same ones, under a schedule
 * that waits. A model that goes back to one gets it from the exchange, not from here.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
public final class PastModels {

  private static final int FORMAT = 1;
  private static final float[] NONE = new float[0];

  private final ModelReplica model;
  private final int most;
  private final SortedMap<Integer, float[]> models = new TreeMap<>();
  private int passed;
  private int kept;
  private boolean knowsKept;
  private boolean tries;
  private float[] own = NONE;
  private float[] predictions = NONE;

  /** {@code most} is how many are kept at most; 0 for none. */
  PastModels(ModelReplica model, int most) {
    this.model = model;
    this.most = most;
  }

  /** Whether any model is ever kept: only then is there anything to save. */
  public boolean isOn() {
    return most > 0;
  }

  void accept(RoundHead head) {
    passed = head.steering().past();
    if (!knowsKept) {
      // What was kept of earlier drifts is lost, and today's model is none of theirs.
      kept = passed;
      knowsKept = true;
    }
    tries = head.steering().tries();
  }

  /** Whether a drift was found whose global model is to be {@linkplain #keep kept}. */
  boolean isDue() {
    return isOn() && passed > kept;
  }

  /** Keeps the global model's parameters, which must never change, as those of the last drift. */
  void keep(float[] global) {
    kept = passed;
    models.put(kept, global);
    models.headMap(kept - most + 1).clear();
  }

  /**
   * Has all of before the last drift predict the fresh examples of a minibatch, if the coordinator
   * asks for it. The model is what it was then, bit by bit.
   */
  PastLosses measure(Minibatch minibatch) {
    Map<Integer, float[]> older = models.headMap(kept);
    if (!tries || older.isEmpty()) {
      return PastLosses.NONE;
    }
    int parameters = model.spec().parameters();
    own = own.length == parameters ? own : new float[parameters];
    model.read(0, own, 0, parameters);
    try {
      double current = loss(minibatch);
      Map<Integer, Double> losses = new TreeMap<>();
      for (var past : older.entrySet()) {
        model.write(0, past.getValue(), 0, parameters);
        losses.put(past.getKey(), loss(minibatch));
      }
      return new PastLosses(kept, minibatch.fresh(), current, losses);
    } catch (UnusableExamplesException e) {
      // The step takes them out, and the next minibatch will do.
      return PastLosses.NONE;
    } finally {
      model.write(0, own, 0, parameters);
    }
  }

  private double loss(Minibatch minibatch) {
    int rows = minibatch.fresh();
    int needed = rows * minibatch.shape().labels();
    predictions = predictions.length >= needed ? predictions : new float[needed];
    model.predict(minibatch.features(), minibatch.stepsOrNull(), rows, predictions);
    return Measures.of(
            minibatch.shape(), predictions, minibatch.labels(), minibatch.stepsOrNull(), rows)
        .loss();
  }

  /** As they are now, in values that stay as they are. */
  public Saved save() {
    return new Saved(kept, new TreeMap<>(models));
  }

  /**
   * Continues from what this replica had saved; a newcomer, from another's models.
   *
   * @param in is read up to the end of what {@link Saved#write} wrote
   */
  public void restore(DataInput in) throws IOException {
    Saved saved = Saved.read(in);
    kept = saved.kept;
    knowsKept = true;
    models.putAll(saved.models);
  }

  /** As a checkpoint has them. Never changes. */
  public static final class Saved {

    private final int kept;
    private final SortedMap<Integer, float[]> models;

    private Saved(int kept, SortedMap<Integer, float[]> models) {
      this.kept = kept;
      this.models = models;
    }

    /** Writes them, for {@link PastModels#restore}. */
    public void write(DataOutput out) throws IOException {
      out.writeByte(FORMAT);
      out.writeInt(kept);
      out.writeInt(models.size());
      for (var past : models.entrySet()) {
        out.writeInt(past.getKey());
        BulkArrays.writeFloats(out, past.getValue());
      }
    }

    private static Saved read(DataInput in) throws IOException {
      WireFormat.readVersion(in, FORMAT, PastModels.class);
      Saved saved = new Saved(in.readInt(), new TreeMap<>());
      for (int left = in.readInt(); left > 0; left--) {
        saved.models.put(in.readInt(), BulkArrays.readFloats(in));
      }
      return saved;
    }
  }
}
