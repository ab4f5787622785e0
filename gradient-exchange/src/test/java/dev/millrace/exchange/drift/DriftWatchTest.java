package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.model.FeatureStatistics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the coordinator finds in what contributions tell. */
class DriftWatchTest {

  private final long seed = new Random().nextLong();
  private final Random die = new Random(seed);
  private final FeatureStatistics all = new FeatureStatistics(3);

  @Test
  void detectorsAreToldApartAndOthersAreLeftAsideAfterARestore() throws IOException {
    DriftWatch watch = new DriftWatch(of(List.of(Kind.ADWIN, Kind.DDM), false));
    rounds(watch, 100, 0.1, 0);

    DriftWatch restored = copy(watch, of(List.of(Kind.KSWIN, Kind.ADWIN), false));
    assertThat(rounds(restored, 100, 0.1, 0)).as("seed %d", seed).isEmpty();
    List<Finding> found = rounds(restored, 100, 0.7, 0);

    assertThat(found)
        .as("seed %d", seed)
        .extracting(Finding::detector)
        .contains("adwin", "kswin")
        .doesNotContain("ddm");
  }

  @Test
  void theFeatureWhoseMeanMovesIsNamed() throws IOException {
    DriftWatch watch = new DriftWatch(of(List.of(), true));
    assertThat(rounds(watch, 300, 0.1, 0)).as("seed %d", seed).isEmpty();

    DriftWatch restored = copy(watch, of(List.of(), true));
    List<Finding> found = rounds(restored, 300, 0.1, 2);

    assertThat(found)
        .as("seed %d", seed)
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.features()).containsExactly(1));
  }

  @Test
  void errorsWithoutABoundAreLookedAtInTheirOwnScale() {
    DriftWatch watch = new DriftWatch(of(List.of(Kind.ADWIN), false));
    assertThat(squares(watch, 1_000)).as("seed %d", seed).isEmpty();
    assertThat(squares(watch, 4_000)).as("seed %d", seed).isNotEmpty();
  }

  private List<Finding> squares(DriftWatch watch, double scale) {
    List<Finding> found = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      ErrorTrace errors = new ErrorTrace(false);
      for (int example = 0; example < 16; example++) {
        errors.add((float) (scale * Math.abs(die.nextGaussian())));
      }
      watch.add(errors, new FeatureStatistics(0));
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
        watch.add(errors, statistics);
      }
      found.addAll(watch.close(all));
    }
    return found;
  }

  private static Detection of(List<Kind> detectors, boolean features) {
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
