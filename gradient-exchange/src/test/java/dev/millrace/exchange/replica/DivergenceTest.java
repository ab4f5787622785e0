package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DivergenceTest {

  @Test
  void isTheNormOfTheChangeRelativeToWhatItStartedFrom() {
    Divergence divergence = new Divergence(5);

    divergence.add(new float[] {3, 4, 3}, new float[] {3, 4, 0}, 0, 3);
    divergence.add(new float[] {4, 12}, new float[] {0, 12}, 3, 2);
    divergence.complete();

    assertThat(divergence.value()).isCloseTo(5.0 / 13, within(1e-12));
  }

  /** Every second one of twice as many: blocks begin anywhere. */
  @Test
  void ofALargeModelItTakesSomeThatAreSpreadEvenly() {
    int parameters = 2 * Divergence.ENOUGH;
    Divergence divergence = new Divergence(parameters);
    float[] anchor = new float[parameters];
    float[] values = new float[parameters];
    for (int i = 0; i < parameters; i++) {
      anchor[i] = i % 2 == 0 ? 2 : Float.NaN;
      values[i] = i % 2 == 0 ? 3 : Float.NaN;
    }

    for (int offset = 0, size = 1; offset < parameters; offset += size, size += 6) {
      size = Math.min(size, parameters - offset);
      divergence.add(
          Arrays.copyOfRange(values, offset, offset + size),
          Arrays.copyOfRange(anchor, offset, offset + size),
          offset,
          size);
    }
    divergence.complete();

    assertThat(divergence.value()).isEqualTo(0.5);
  }

  @Test
  void leavesUpdaterStateOut() {
    Divergence divergence = new Divergence(4);

    divergence.add(new float[] {1, 1, 2}, new float[] {1, 1, 1}, 0, 3);
    divergence.add(new float[] {1, 0, 0}, new float[] {1, 1e6f, 1e6f}, 3, 3);
    divergence.complete();

    assertThat(divergence.value()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void isOfOneContribution() {
    Divergence divergence = new Divergence(1);
    assertThat(divergence.value()).isNaN();

    contribute(divergence, 3, 1);
    assertThat(divergence.value()).isEqualTo(2);

    contribute(divergence, 4, 2);
    assertThat(divergence.value()).isEqualTo(1);
  }

  @Test
  void whatWasNothingCantBeComparedWith() {
    Divergence divergence = new Divergence(1);
    divergence.begin();
    divergence.add(new float[] {3}, new float[] {0}, 0, 1);
    assertThat(divergence.exceeds(1)).isFalse();

    divergence.begin();
    divergence.add(new float[] {3}, new float[] {1}, 0, 1);
    assertThat(divergence.exceeds(1.9)).isTrue();
    assertThat(divergence.exceeds(2)).isFalse();
  }

  private static void contribute(Divergence divergence, float value, float anchor) {
    divergence.begin();
    divergence.add(new float[] {value}, new float[] {anchor}, 0, 1);
    divergence.complete();
  }
}
