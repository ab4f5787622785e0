package dev.millrace.exchange.drift;

import dev.millrace.model.features.FeatureStatistics;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at each feature's mean, round by round, in deviations from its mean since it drifted last:
 * with an {@link Adwin} each, whose confidence is divided by their number. A rise and a fall are
 * both told, once: what a feature has become is what it is compared with from then on.
 *
 * <p>Not thread-safe.
 */
final class FeatureWatch {

  /** Deviations that a mean may differ by and still be told from a greater difference. */
  private static final double MOST = 3;

  private final double confidence;
  private final List<Adwin> windows = new ArrayList<>();
  private final List<Usual> usual = new ArrayList<>();

  /** A mean, of so many examples. */
  private record Usual(double count, double mean) {

    static final Usual NONE = new Usual(0, 0);

    Usual with(double more, double ofMore) {
      double all = count + more;
      return new Usual(all, mean + (ofMore - mean) * more / all);
    }
  }

  FeatureWatch(double confidence) {
    this.confidence = confidence;
  }

  /**
   * A round is closed.
   *
   * @param round statistics of its members
   * @param all of all rounds with this one
   * @return the features that have drifted
   */
  List<Integer> close(FeatureStatistics round, FeatureStatistics all) {
    while (windows.size() < all.features()) {
      windows.add(new Adwin(confidence / all.features()));
      usual.add(Usual.NONE);
    }
    List<Integer> drifted = new ArrayList<>();
    for (int feature = 0; feature < round.features(); feature++) {
      double deviation = all.deviation(feature);
      if (round.count(feature) > 0 && deviation > 0) {
        Usual before = usual.get(feature).with((double) round.count(feature), round.mean(feature));
        double distance = (round.mean(feature) - before.mean()) / deviation;
        double bounded = Math.max(-MOST, Math.min(MOST, distance));
        boolean drifts = windows.get(feature).addAndCut(0.5 + bounded / (2 * MOST));
        if (drifts) {
          drifted.add(feature);
          windows.set(feature, new Adwin(confidence / windows.size()));
        }
        usual.set(feature, drifts ? Usual.NONE : before);
      }
    }
    return drifted;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(windows.size());
    for (int feature = 0; feature < windows.size(); feature++) {
      windows.get(feature).write(out);
      out.writeDouble(usual.get(feature).count());
      out.writeDouble(usual.get(feature).mean());
    }
  }

  void read(DataInput in) throws IOException {
    int features = in.readInt();
    for (int feature = 0; feature < features; feature++) {
      Adwin window = new Adwin(confidence / features);
      window.read(in);
      windows.add(window);
      usual.add(new Usual(in.readDouble(), in.readDouble()));
    }
  }
}
