package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Delays and false alarms on the streams that the papers use: errors at a rate that changes. */
class DriftDetectorTest {

  private static final Detection USUAL =
      new Detection(List.of(Kind.values()), Features.NONE, 0.0001, 0.01, 100);

  /** What is found, and for nothing, is a matter of how often: not each seed may find as much. */
  private static final long SEED = 1;

  private static final int STATIONARY = 100_000;
  private static final long DRIFT = 2_000;

  /**
   * At 0.3 more errors Page-Hinkley's sum takes 100 / 0.29 examples; KSWIN looks at 200, and takes
   * 0.22.
   */
  @ParameterizedTest
  @CsvSource({"ADWIN, 20", "PAGE_HINKLEY, 17", "KSWIN, 16"})
  void anAbruptRiseIsFoundWithin500Examples(Kind kind, int least) {
    int found = 0;
    for (int run = 0; run < 20; run++) {
      DriftDetector detector = detectorAt(kind, SEED + run);
      if (feed(detector, new Random(SEED - run - 1), at -> 0.5, 500) > 0) {
        found++;
        assertThat(detector.after()).as("%s", kind).isGreaterThan(detector.before());
      }
    }
    assertThat(found).as("%s", kind).isGreaterThanOrEqualTo(least);
  }

  /** A detector that has seen 2,000 examples at a rate of 0.2. */
  private static DriftDetector detectorAt(Kind kind, long seed) {
    DriftDetector detector = USUAL.detector(kind);
    Random die = new Random(seed);
    for (int at = 0; at < DRIFT; at++) {
      boolean unused = detector.add(die.nextDouble() < 0.2 ? 1 : 0);
    }
    return detector;
  }

  /** In KSWIN's window of 1,000 such a rise is too small. */
  @ParameterizedTest
  @CsvSource({"ADWIN", "PAGE_HINKLEY"})
  void aGradualRiseIsFoundBeforeItIsOver(Kind kind) {
    int found = 0;
    for (int run = 0; run < 10; run++) {
      DriftDetector detector = detectorAt(kind, SEED + run);
      long at =
          feed(
              detector,
              new Random(SEED - run - 1),
              of -> 0.2 + 0.3 * Math.min(1, of / 4_000.0),
              4_500);
      found += at > 0 ? 1 : 0;
    }

    assertThat(found).as("%s", kind).isGreaterThanOrEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void nothingIsFoundWhereNothingChanges(Kind kind) {
    Random die = new Random(SEED);
    DriftDetector detector = USUAL.detector(kind);

    int found = 0;
    for (int at = 0; at < STATIONARY; at++) {
      found += detector.add(die.nextDouble() < 0.2 ? 1 : 0) ? 1 : 0;
    }

    assertThat(found).as("%s", kind).isZero();
  }

  /** A model that learns: its errors become fewer. */
  @ParameterizedTest
  @CsvSource({"ADWIN", "PAGE_HINKLEY", "KSWIN"})
  void aFallIsNoDrift(Kind kind) {
    long found =
        feed(
            USUAL.detector(kind),
            new Random(SEED),
            at -> 0.1 + 0.8 * Math.exp(-at / 1_000.0),
            20_000);

    assertThat(found).as("%s", kind).isZero();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aRestoredDetectorAnswersAsIfNothingHadHappened(Kind kind) throws IOException {
    long seed = Seeds.next();
    Random die = new Random(seed);
    DriftDetector whole = USUAL.detector(kind);
    DriftDetector restored = USUAL.detector(kind);
    for (int at = 0; at < 6_000; at++) {
      double error = die.nextDouble() < (at / 1_500 % 2 == 0 ? 0.1 : 0.6) ? 1 : 0;
      if (die.nextInt(200) == 0) {
        restored = copy(restored, kind);
      }
      assertThat(restored.add(error))
          .as("%s, %d, seed %d", kind, at, seed)
          .isEqualTo(whole.add(error));
      assertThat(Double.compare(restored.before(), whole.before())).isZero();
      assertThat(Double.compare(restored.after(), whole.after())).isZero();
    }
    assertThat(whole.after()).as("%s, seed %d", kind, seed).isPositive();
  }

  private static DriftDetector copy(DriftDetector detector, Kind kind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    detector.write(new DataOutputStream(bytes));
    DriftDetector copy = USUAL.detector(kind);
    copy.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return copy;
  }

  /** Feeds errors at a rate, and says after how many a drift was found; 0 for none. */
  private static long feed(
      DriftDetector detector, Random die, LongToDoubleFunction rate, long examples) {
    for (long at = 0; at < examples; at++) {
      if (detector.add(die.nextDouble() < rate.applyAsDouble(at) ? 1 : 0)) {
        return at + 1;
      }
    }
    return 0;
  }
}
