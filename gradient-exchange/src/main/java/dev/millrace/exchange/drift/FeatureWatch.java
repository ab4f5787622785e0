package dev.millrace.exchange.drift;

import dev.millrace.model.FeatureStatistics;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at each feature's mean, round by round, in deviations from its mean of all time: with an
 * {@link Adwin} each, whose confidence is divided by their number. A rise and a fall are both told.
 *
 * <p>Not thread-safe.
 */
final class FeatureWatch {

  /** Deviations that a mean may differ by and still be told from a greater difference. */
  private static final double MOST = 3;

  private final double confidence;
  private final List<Adwin> windows = new ArrayList<>();

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
    }
    List<Integer> drifted = new ArrayList<>();
    for (int feature = 0; feature < round.features(); feature++) {
      double deviation = all.deviation(feature);
      if (round.count(feature) > 0 && deviation > 0) {
        double distance = (round.mean(feature) - all.mean(feature)) / deviation;
        double bounded = Math.max(-MOST, Math.min(MOST, distance));
        if (windows.get(feature).addAndCut(0.5 + bounded / (2 * MOST))) {
          drifted.add(feature);
        }
      }
    }
    return drifted;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(windows.size());
    for (Adwin window : windows) {
      window.write(out);
    }
  }

  void read(DataInput in) throws IOException {
    int features = in.readInt();
    for (int feature = 0; feature < features; feature++) {
      Adwin window = new Adwin(confidence / features);
      window.read(in);
      windows.add(window);
    }
  }
}
