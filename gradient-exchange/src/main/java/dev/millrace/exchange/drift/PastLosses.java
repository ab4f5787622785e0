package dev.millrace.exchange.drift;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How well past models predict examples of after a drift, beside the model in training, before that
 * one learns them.
 *
 * @param drift number of the drift, counted from 1; 0 where nothing is measured
 * @param examples that were predicted
 * @param current sum of the losses of the model in training
 * @param past the same of past models, by their number; of each the examples are the same
 */
public record PastLosses(int drift, long examples, double current, Map<Integer, Double> past)
    implements Serializable {

  /** Nothing was measured. */
  public static final PastLosses NONE = new PastLosses(0, 0, 0, Map.of());

  public static final WireFormat<PastLosses> WIRE = new LossesWire();

  public PastLosses {
    past = Map.copyOf(past);
  }

  /**
   * Of the examples of both, for the models that both have measured. Of two drifts the newer counts
   * alone.
   */
  public PastLosses plus(PastLosses other) {
    if (drift != other.drift) {
      return drift > other.drift ? this : other;
    }
    Map<Integer, Double> sums = new TreeMap<>();
    past.forEach(
        (number, loss) -> {
          Double theirs = other.past.get(number);
          if (theirs != null) {
            sums.put(number, loss + theirs);
          }
        });
    return new PastLosses(drift, examples + other.examples, current + other.current, sums);
  }

  /** The past model with the least loss, if it predicts better than the model in training. */
  public OptionalInt better() {
    return past.entrySet().stream()
        .filter(one -> one.getValue() < current)
        .min(Map.Entry.<Integer, Double>comparingByValue().thenComparing(Map.Entry::getKey))
        .map(best -> OptionalInt.of(best.getKey()))
        .orElse(OptionalInt.empty());
  }

  private static final class LossesWire implements WireFormat<PastLosses>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(PastLosses losses, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(losses.drift);
      out.writeLong(losses.examples);
      out.writeDouble(losses.current);
      out.writeInt(losses.past.size());
      for (var one : new TreeMap<>(losses.past).entrySet()) {
        out.writeInt(one.getKey());
        out.writeDouble(one.getValue());
      }
    }

    @Override
    public PastLosses read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, PastLosses.class);
      int drift = in.readInt();
      long examples = in.readLong();
      double current = in.readDouble();
      Map<Integer, Double> past = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        past.put(in.readInt(), in.readDouble());
      }
      return new PastLosses(drift, examples, current, past);
    }
  }
}
