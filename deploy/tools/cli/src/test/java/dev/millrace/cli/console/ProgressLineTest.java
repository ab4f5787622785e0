package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.progress.MetricsLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final ThroughputMeter meter = new ThroughputMeter();

  @Test
  void showsShareRateQualityAndRemainingTime() {
    meter.add(progress(0, 1000, 0));
    MetricsLine.Progress last = progress(4000, 9000, 0);
    meter.add(last);

    assertThat(new ProgressLine(OptionalLong.of(40_000)).format(last, meter))
        .isEqualTo(
            "9,000 of 40,000 examples (22 %) · 2,000/s · accuracy 0.7500 · loss 0.6000 · round 94"
                + " · version 1.94 · ETA 0:16");
  }

  @Test
  void anInputWithoutEndHasNoShareAndNoEta() {
    MetricsLine.Progress only = progress(0, 1000, 3);
    meter.add(only);

    assertThat(new ProgressLine(OptionalLong.empty()).format(only, meter))
        .isEqualTo(
            "1,000 examples · 0/s · accuracy 0.7500 · loss 0.6000 · round 94 · version 1.94"
                + " · 3 rejected");
  }

  @Test
  void rejectedRecordsAreDoneWithToo() {
    MetricsLine.Progress last = progress(0, 90, 10);
    meter.add(last);

    assertThat(new ProgressLine(OptionalLong.of(100)).format(last, meter))
        .contains("(100 %)")
        .endsWith("ETA 0:00");
  }

  @Test
  void twoClassesShowTheAreaUnderTheCurve() {
    MetricsLine.Progress last =
        new MetricsLine.Progress(0, 0, 1, 96, 0, null, 0.9, 0.4, 0.8, 0.3, 0.7, 0.85, null, null);

    assertThat(new ProgressLine(OptionalLong.empty()).format(last, meter))
        .contains("accuracy 0.8000 · AUC 0.8500 · loss 0.3000");
  }

  @Test
  void regressionShowsErrors() {
    MetricsLine.Progress last =
        new MetricsLine.Progress(0, 0, 1, 96, 0, null, null, 2.5, null, null, null, null, 0.5, 1.5);

    assertThat(new ProgressLine(OptionalLong.empty()).format(last, meter))
        .contains("MAE 0.5000 · RMSE 1.5000 · loss 2.5000")
        .doesNotContain("accuracy");
  }

  @Test
  void theRateIsOfTheLastSecondsAndStartsAnewAfterAFailure() {
    meter.add(progress(0, 0, 0));
    meter.add(progress(20_000, 1000, 0));
    meter.add(progress(25_000, 6000, 0));
    assertThat(meter.examplesPerSecond()).isEqualTo(1000);

    meter.add(progress(26_000, 500, 0));
    assertThat(meter.examplesPerSecond()).isZero();
    assertThat(meter.secondsFor(10)).isEmpty();
  }

  @Test
  void durationsReadLikeAClock() {
    assertThat(ProgressLine.duration(5)).isEqualTo("0:05");
    assertThat(ProgressLine.duration(65)).isEqualTo("1:05");
    assertThat(ProgressLine.duration(7209)).isEqualTo("2:00:09");
  }

  @Test
  void aTerminalsLineIsWrittenOverAndCutToItsWidth() {
    StringWriter written = new StringWriter();
    Screen screen = new Screen(new PrintWriter(written), 11);

    screen.live("first line", 0);
    screen.live("second line", 1);
    screen.say("done");

    assertThat(written.toString())
        .isEqualTo(
            Screen.CLEAR_LINE
                + "first line"
                + Screen.CLEAR_LINE
                + "second lin"
                + Screen.CLEAR_LINE
                + "done"
                + System.lineSeparator());
  }

  @Test
  void elsewhereALineIsWrittenEveryFewSeconds() {
    StringWriter written = new StringWriter();
    Screen screen = new Screen(new PrintWriter(written), 0);
    long second = Duration.ofSeconds(1).toNanos();

    for (int i = 0; i <= 10; i++) {
      screen.live("at " + i, Long.MAX_VALUE - 5 * second + i * second);
    }

    assertThat(written.toString().lines()).containsExactly("at 0", "at 5", "at 10");
  }

  private static MetricsLine.Progress progress(long millis, long examples, long rejected) {
    return new MetricsLine.Progress(
        millis, 1, 94, examples, rejected, null, 0.7, 0.9, 0.75, 0.6, null, null, null, null);
  }
}
