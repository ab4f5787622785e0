package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DriftTest {

  @Test
  void isTheNormOfTheChangeRelativeToWhatItStartedFrom() {
    Drift drift = new Drift(5);

    drift.add(new float[] {3, 4, 3}, new float[] {3, 4, 0}, 0, 3);
    drift.add(new float[] {4, 12}, new float[] {0, 12}, 3, 2);
    drift.complete();

    assertThat(drift.value()).isCloseTo(5.0 / 13, within(1e-12));
  }

  /** Every second one of twice as many: blocks begin anywhere. */
  @Test
  void ofALargeModelItTakesSomeThatAreSpreadEvenly() {
    int parameters = 2 * Drift.ENOUGH;
    Drift drift = new Drift(parameters);
    float[] anchor = new float[parameters];
    float[] values = new float[parameters];
    for (int i = 0; i < parameters; i++) {
      anchor[i] = i % 2 == 0 ? 2 : Float.NaN;
      values[i] = i % 2 == 0 ? 3 : Float.NaN;
    }

    for (int offset = 0, size = 1; offset < parameters; offset += size, size += 6) {
      size = Math.min(size, parameters - offset);
      drift.add(
          Arrays.copyOfRange(values, offset, offset + size),
          Arrays.copyOfRange(anchor, offset, offset + size),
          offset,
          size);
    }
    drift.complete();

    assertThat(drift.value()).isEqualTo(0.5);
  }

  @Test
  void leavesUpdaterStateOut() {
    Drift drift = new Drift(4);

    drift.add(new float[] {1, 1, 2}, new float[] {1, 1, 1}, 0, 3);
    drift.add(new float[] {1, 0, 0}, new float[] {1, 1e6f, 1e6f}, 3, 3);
    drift.complete();

    assertThat(drift.value()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void isOfOneContribution() {
    Drift drift = new Drift(1);
    assertThat(drift.value()).isNaN();

    contribute(drift, 3, 1);
    assertThat(drift.value()).isEqualTo(2);

    contribute(drift, 4, 2);
    assertThat(drift.value()).isEqualTo(1);
  }

  @Test
  void whatWasNothingCantBeComparedWith() {
    Drift drift = new Drift(1);
    drift.begin();
    drift.add(new float[] {3}, new float[] {0}, 0, 1);
    assertThat(drift.exceeds(1)).isFalse();

    drift.begin();
    drift.add(new float[] {3}, new float[] {1}, 0, 1);
    assertThat(drift.exceeds(1.9)).isTrue();
    assertThat(drift.exceeds(2)).isFalse();
  }

  private static void contribute(Drift drift, float value, float anchor) {
    drift.begin();
    drift.add(new float[] {value}, new float[] {anchor}, 0, 1);
    drift.complete();
  }
}
