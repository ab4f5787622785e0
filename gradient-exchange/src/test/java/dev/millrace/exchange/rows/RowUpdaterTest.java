package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule beside its formula in doubles. */
class RowUpdaterTest {

  private static final int DIMENSION = 5;
  private static final int AT = 2;
  private static final int STEPS = 40;
  private static final float RATE = 0.05f;
  private static final float L2 = 0.01f;
  private static final float SCALE = 0.25f;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  /** One value at a time; {@code slots} is its own memory. */
  private interface Formula {
    double step(double value, double gradient, double meanSquare, double[] slots, int t);
  }

  private void follows(RowUpdater updater, Formula formula) {
    System.out.printf("%s: seed %s%n", updater.name(), seed);
    float[] row = new float[AT + DIMENSION + updater.slots(DIMENSION) + 1];
    double[] values = new double[DIMENSION];
    double[][] slots = new double[DIMENSION][2];
    for (int i = 0; i < DIMENSION; i++) {
      row[AT + i] = (float) random.nextGaussian();
      values[i] = row[AT + i];
      if (updater instanceof Ftrl) {
        slots[i][0] = -values[i] * (1 / (double) RATE + L2);
      }
    }
    row[0] = 9;
    row[row.length - 1] = 9;
    updater.reset(row, AT, DIMENSION);
    for (int t = 1; t <= STEPS; t++) {
      float[] gradients = new float[DIMENSION + 1];
      double meanSquare = 0;
      for (int i = 0; i < DIMENSION; i++) {
        gradients[1 + i] = (float) random.nextGaussian();
        double with = SCALE * gradients[1 + i] + L2 * values[i];
        meanSquare += with * with / DIMENSION;
      }
      updater.update(row, AT, DIMENSION, gradients, 1, SCALE);
      for (int i = 0; i < DIMENSION; i++) {
        values[i] = formula.step(values[i], SCALE * gradients[1 + i], meanSquare, slots[i], t);
        assertThat((double) row[AT + i])
            .as("seed %s, step %s, value %s", seed, t, i)
            .isCloseTo(values[i], within(2e-5));
      }
    }
    assertThat(row[0]).as("in front of the row").isEqualTo(9);
    assertThat(row[row.length - 1]).as("behind the row").isEqualTo(9);
  }

  @Test
  void sgd() {
    follows(RowUpdater.named("sgd", RATE, L2), (w, g, mean, slots, t) -> w - RATE * (g + L2 * w));
  }

  @Test
  void adagrad() {
    follows(
        RowUpdater.named("adagrad", RATE, L2),
        (w, g, mean, slots, t) -> {
          double with = g + L2 * w;
          slots[0] += with * with;
          return w - RATE * with / Math.sqrt(slots[0]);
        });
  }

  @Test
  void rowwiseAdagrad() {
    follows(
        RowUpdater.named("adagrad-rowwise", RATE, L2),
        (w, g, mean, slots, t) -> {
          slots[0] += mean;
          return w - RATE * (g + L2 * w) / Math.sqrt(slots[0]);
        });
  }

  @Test
  void adam() {
    follows(
        RowUpdater.named("adam", RATE, L2),
        (w, g, mean, slots, t) -> {
          double with = g + L2 * w;
          slots[0] = 0.9 * slots[0] + 0.1 * with;
          slots[1] = 0.999 * slots[1] + 0.001 * with * with;
          double first = slots[0] / (1 - Math.pow(0.9, t));
          double second = slots[1] / (1 - Math.pow(0.999, t));
          return w - RATE * first / (Math.sqrt(second) + 1e-8);
        });
  }

  @Test
  void ftrl() {
    follows(
        RowUpdater.named("ftrl", RATE, L2),
        (w, g, mean, slots, t) -> {
          double root = Math.sqrt(slots[1] + g * g);
          slots[0] += g - (root - Math.sqrt(slots[1])) / RATE * w;
          slots[1] += g * g;
          return -slots[0] / ((1 + root) / RATE + L2);
        });
  }

  /** Where the initial value is beyond reach of l1, too: only a gradient takes it to 0. */
  @Test
  void ftrlBeginsAtTheInitialValueAndL1MakesZeros() {
    Ftrl ftrl = new Ftrl(0.1f, 1, 0.5f, 0);
    float[] row = {0.3f, -0.2f, 0, 0, 0, 0, 0, 0, 0};
    ftrl.reset(row, 0, 3);
    float[] gradients = {0, 0, 0.4f};
    ftrl.update(row, 0, 3, gradients, 0, 1);
    assertThat(row[0]).isCloseTo(0.3f, within(1e-6f));
    assertThat(row[1]).isCloseTo(-0.2f, within(1e-6f));
    assertThat(row[2]).as("within l1").isZero();

    // z is 0.4 of the step before, and σ · w is 0.
    ftrl.update(row, 0, 3, gradients, 0, 1);
    assertThat(row[2]).isCloseTo(-0.3f / ((1 + (float) Math.sqrt(0.32)) / 0.1f), within(1e-6f));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 1000, 1 << 24})
  void powersAreThoseOfTheFormula(int exponent) {
    assertThat(LazyAdam.power(0.999, exponent)).isCloseTo(Math.pow(0.999, exponent), within(1e-12));
  }

  static List<String> names() {
    return RowUpdater.NAMES;
  }

  @ParameterizedTest
  @MethodSource("names")
  void aNameGivesTheUpdaterOfTheNameWhoseFirstStepGoesDown(String name) {
    RowUpdater updater = RowUpdater.named(name, RATE, 0);
    assertThat(updater.name()).isEqualTo(name);
    float[] row = new float[1 + updater.slots(1)];
    updater.reset(row, 0, 1);
    updater.update(row, 0, 1, new float[] {2}, 0, 1);
    assertThat(row[0]).isNegative();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aResetForgetsGradientsAndNotValues(String name) {
    RowUpdater updater = RowUpdater.named(name, RATE, L2);
    float[] row = new float[2 + updater.slots(2)];
    row[0] = 0.5f;
    row[1] = -0.5f;
    updater.reset(row, 0, 2);
    float[] fresh = row.clone();
    updater.update(row, 0, 2, new float[] {1, 2}, 0, 1);
    row[0] = 0.5f;
    row[1] = -0.5f;
    updater.reset(row, 0, 2);
    assertThat(row).isEqualTo(fresh);
  }

  @ParameterizedTest
  @MethodSource("names")
  void impossibleSettingsAreRefused(String name) {
    assertThatThrownBy(() -> RowUpdater.named(name, 0, 0))
        .hasMessageContaining(name + " has a learning rate of 0.0");
    assertThatThrownBy(() -> RowUpdater.named(name, Float.NaN, 0)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> RowUpdater.named(name, 1, -1))
        .hasMessageContaining(name + " has an l2 of -1.0");
  }

  @Test
  void settingsOfASingleRuleAreChecked() {
    assertThatThrownBy(() -> new LazyAdam(1, 0, 1, 0.5f)).hasMessageContaining("beta1 of 1.0");
    assertThatThrownBy(() -> new LazyAdam(1, 0, 0, -1)).hasMessageContaining("beta2 of -1.0");
    assertThatThrownBy(() -> new Ftrl(1, 0, 0, 0)).hasMessageContaining("beta of 0.0");
    assertThatThrownBy(() -> new Ftrl(1, 1, -1, 0)).hasMessageContaining("l1 of -1.0");
    assertThatThrownBy(() -> RowUpdater.named("adamw", 1, 0))
        .hasMessageContaining("'adamw'")
        .hasMessageContaining("adagrad-rowwise, adagrad, adam, ftrl, sgd");
  }
}
