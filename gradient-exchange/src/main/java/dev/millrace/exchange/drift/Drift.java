package dev.millrace.exchange.drift;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A drift, as it was found.
 *
 * @param version of the global model that has learned the examples that it was found in
 * @param time when it was found, milliseconds since the epoch; no decision depends on it
 * @param examples that the job had learned
 * @param detector that found it
 * @param before mean error before it; NaN where features drifted
 * @param after mean error since it began; NaN where features drifted
 * @param features numbers of those that drifted, counted from 0; none where the error did
 * @param reacted whether training reacts to it, and not to one shortly before
 */
public record Drift(
    ModelVersion version,
    long time,
    long examples,
    String detector,
    double before,
    double after,
    List<Integer> features,
    boolean reacted)
    implements Serializable {

  public static final WireFormat<Drift> WIRE = new DriftWire();

  public Drift {
    features = List.copyOf(features);
  }

  /** A sentence for people. */
  @Override
  public String toString() {
    String what =
        features.isEmpty()
            ? String.format(Locale.ROOT, "the error rose from %.3f to %.3f", before, after)
            : "features %s moved".formatted(features);
    return "Drift at %s, after %s examples, found by %s: %s%s"
        .formatted(version, examples, detector, what, reacted ? "" : "; no reaction so soon");
  }

  private static final class DriftWire implements WireFormat<Drift>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Drift drift, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(drift.version.generation());
      out.writeLong(drift.version.round());
      out.writeLong(drift.time);
      out.writeLong(drift.examples);
      out.writeUTF(drift.detector);
      out.writeDouble(drift.before);
      out.writeDouble(drift.after);
      out.writeInt(drift.features.size());
      for (int feature : drift.features) {
        out.writeInt(feature);
      }
      out.writeBoolean(drift.reacted);
    }

    @Override
    public Drift read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Drift.class);
      ModelVersion version = new ModelVersion(in.readLong(), in.readLong());
      long time = in.readLong();
      long examples = in.readLong();
      String detector = in.readUTF();
      double before = in.readDouble();
      double after = in.readDouble();
      List<Integer> features = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        features.add(in.readInt());
      }
      return new Drift(
          version, time, examples, detector, before, after, features, in.readBoolean());
    }
  }
}
