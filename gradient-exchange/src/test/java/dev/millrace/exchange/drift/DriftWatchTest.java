package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the coordinator finds in what contributions tell. */
class DriftWatchTest {

  /** What is found, and for nothing, is a matter of how often: not each seed may find as much. */
  private final Random die = new Random(1);

  private final FeatureStatistics all = new FeatureStatistics(3);

  @Test
  void detectorsAreToldApartAndOthersAreLeftAsideAfterARestore() throws IOException {
    DriftWatch watch = new DriftWatch(of(List.of(Kind.ADWIN, Kind.PAGE_HINKLEY), Features.NONE));
    rounds(watch, 100, 0.1, 0);

    DriftWatch restored = copy(watch, of(List.of(Kind.KSWIN, Kind.ADWIN), Features.NONE));
    assertThat(rounds(restored, 100, 0.1, 0)).isEmpty();
    List<Finding> found = rounds(restored, 100, 0.7, 0);

    assertThat(found)
        .extracting(Finding::detector)
        .contains("adwin", "kswin")
        .doesNotContain("page-hinkley");
  }

  @Test
  void theFeatureWhoseMeanMovesIsNamed() throws IOException {
    DriftWatch watch = new DriftWatch(of(List.of(), Features.ADWIN));
    assertThat(rounds(watch, 300, 0.1, 0)).isEmpty();

    DriftWatch restored = copy(watch, of(List.of(), Features.ADWIN));
    List<Finding> found = rounds(restored, 300, 0.1, 2);

    assertThat(found)
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.features()).containsExactly(1));
  }

  @Test
  void theFeatureWhoseDistributionChangesIsNamed() throws IOException {
    // At 0.0001 it is told for nothing once in two million examples.
    Detection detection =
        new Detection(List.of(), Features.KOLMOGOROV_SMIRNOV, 0.000001, 0.01, 100);
    DriftWatch watch = new DriftWatch(detection);
    assertThat(rounds(watch, 600, 0.1, 0)).isEmpty();

    DriftWatch restored = copy(watch, detection);
    // 224 numbers: a mean that moves by two deviations fills the newest 200.
    List<Finding> found = rounds(restored, 7, 0.1, 2);

    assertThat(found)
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.features()).containsExactly(1));
  }

  @Test
  void aDistributionOfTheSameMeanIsToldByTheTestAlone() {
    SampleWatch samples = new SampleWatch(0.0001);
    FeatureWatch means = new FeatureWatch(0.0001);
    int found = 0;
    int moved = 0;
    for (int round = 0; round < 200; round++) {
      float[] features = new float[16 * 3];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) die.nextGaussian() * (round < 100 ? 1 : 4);
      }
      FeatureStatistics statistics = new FeatureStatistics(3);
      statistics.add(features, 16);
      all.merge(statistics);
      found += samples.add(sample(features)).size();
      moved += means.close(statistics, all).size();
    }
    assertThat(found).isGreaterThanOrEqualTo(3);
    assertThat(moved).isZero();
  }

  @Test
  void errorsWithoutABoundAreLookedAtInTheirOwnScale() {
    DriftWatch watch = new DriftWatch(of(List.of(Kind.ADWIN), Features.NONE));
    assertThat(squares(watch, 1_000)).isEmpty();
    assertThat(squares(watch, 4_000)).isNotEmpty();
  }

  @Test
  void errorsOfAModelThatGetsBetterAreNoDrift() {
    DriftWatch watch = new DriftWatch(of(List.of(Kind.ADWIN, Kind.PAGE_HINKLEY), Features.NONE));
    for (int step = 0; step < 20; step++) {
      assertThat(squares(watch, 1 + 9 * Math.exp(-step / 2.0))).isEmpty();
    }
    assertThat(squares(watch, 10)).isNotEmpty();
  }

  @Test
  void aFeatureThatHasMovedIsNamedOnce() {
    DriftWatch watch = new DriftWatch(of(List.of(), Features.ADWIN));
    rounds(watch, 500, 0.1, 0);

    assertThat(rounds(watch, 3_000, 0.1, 1)).hasSize(1);
  }

  private List<Finding> squares(DriftWatch watch, double scale) {
    List<Finding> found = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      ErrorTrace errors = new ErrorTrace(false);
      for (int example = 0; example < 16; example++) {
        errors.add((float) (scale * Math.abs(die.nextGaussian())));
      }
      watch.add(errors, new FeatureStatistics(0), new FeatureSample(0));
      found.addAll(watch.close(all));
    }
    return found;
  }

  private List<Finding> rounds(DriftWatch watch, int rounds, double rate, float shift) {
    List<Finding> found = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (int member = 0; member < 2; member++) {
        ErrorTrace errors = new ErrorTrace(true);
        float[] features = new float[16 * 3];
        for (int example = 0; example < 16; example++) {
          errors.add(die.nextDouble() < rate ? 1 : 0);
          for (int feature = 0; feature < 3; feature++) {
            features[example * 3 + feature] =
                (float) die.nextGaussian() + (feature == 1 ? shift : 0);
          }
        }
        FeatureStatistics statistics = new FeatureStatistics(3);
        statistics.add(features, 16);
        all.merge(statistics);
        watch.add(errors, statistics, sample(features));
      }
      found.addAll(watch.close(all));
    }
    return found;
  }

  private static FeatureSample sample(float[] features) {
    Minibatch minibatch = new Minibatch(new ExampleShape(3, 1, Target.REGRESSION), 16);
    for (int row = 0; row < 16; row++) {
      minibatch.add(
          Arrays.copyOfRange(features, row * 3, row * 3 + 3),
          new float[1],
          1,
          new Partition("t", 0),
          row);
    }
    FeatureSample sample = new FeatureSample(3);
    sample.add(minibatch);
    return sample;
  }

  private static Detection of(List<Kind> detectors, Features features) {
    return new Detection(detectors, features, 0.0001, 0.01, 100);
  }

  private static DriftWatch copy(DriftWatch watch, Detection detection) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    watch.write(new DataOutputStream(bytes));
    DriftWatch copy = new DriftWatch(detection);
    copy.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return copy;
  }
}
