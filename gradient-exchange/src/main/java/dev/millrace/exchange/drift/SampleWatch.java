package dev.millrace.exchange.drift;

import dev.millrace.exchange.steering.FeatureSample;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Looks at the distribution of each feature in samples of the stream, with the test of {@link
 * Kswin} each: the newest 200 numbers against 200 of the 800 before. Any change is told.
 *
 * <p>The confidence is divided by the number of features, and by ten: that many looks share half of
 * their numbers or more, and each may find something.
 *
 * <p>Not thread-safe.
 */
final class SampleWatch {

  private static final int LOOKS = 10;

  private final double confidence;
  private final List<Kswin> tests = new ArrayList<>();

  SampleWatch(double confidence) {
    this.confidence = confidence;
  }

  /** The features that a sample shows to have drifted, in order. */
  List<Integer> add(FeatureSample sample) {
    while (tests.size() < sample.features()) {
      tests.add(test(sample.features()));
    }
    TreeSet<Integer> drifted = new TreeSet<>();
    for (int row = 0; row < sample.rows(); row++) {
      for (int feature = 0; feature < sample.features(); feature++) {
        float value = sample.get(row, feature);
        if (Float.isFinite(value) && tests.get(feature).add(value)) {
          drifted.add(feature);
        }
      }
    }
    return List.copyOf(drifted);
  }

  private Kswin test(int features) {
    return new Kswin(confidence / (LOOKS * features), false);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(tests.size());
    for (Kswin test : tests) {
      test.write(out);
    }
  }

  void read(DataInput in) throws IOException {
    int features = in.readInt();
    for (int feature = 0; feature < features; feature++) {
      Kswin test = test(features);
      test.read(in);
      tests.add(test);
    }
  }
}
