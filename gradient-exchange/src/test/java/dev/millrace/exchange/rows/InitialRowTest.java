package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.rows.InitialRow.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitialRowTest {

  private static final int DIMENSION = 8;

  /** Rows that were never written have these values: they must never be others. */
  @Test
  void valuesAreTheSameBitsForever() {
    assertThat(bits(new InitialRow(Shape.UNIFORM, 0.1f, 7)))
        .isEqualTo("bd2926c7 3acfc79a bdaa998f");
    assertThat(bits(new InitialRow(Shape.NORMAL, 0.1f, 7))).isEqualTo("bd7a92da 3db48480 be0b7243");
  }

  private static String bits(InitialRow initial) {
    float[] values = new float[3];
    initial.fill(RowTable.of("users", 3).hash(), -5, values, 0, 3);
    StringBuilder bits = new StringBuilder();
    for (float value : values) {
      bits.append(Integer.toHexString(Float.floatToRawIntBits(value))).append(' ');
    }
    return bits.toString().strip();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void valuesHaveTheSpreadAndMeanZero(Shape shape) {
    InitialRow initial = new InitialRow(shape, 0.5f, 3);
    double sum = 0;
    double squares = 0;
    double most = 0;
    int rows = 50_000;
    float[] values = new float[DIMENSION];
    for (int id = 0; id < rows; id++) {
      initial.fill(1, id, values, 0, DIMENSION);
      for (float value : values) {
        sum += value;
        squares += value * value;
        most = Math.max(most, Math.abs(value));
      }
    }
    double deviation = shape == Shape.NORMAL ? 0.5 : 0.5 / Math.sqrt(3);
    assertThat(sum / rows / DIMENSION).isCloseTo(0, within(0.003));
    assertThat(Math.sqrt(squares / rows / DIMENSION)).isCloseTo(deviation, within(0.003));
    assertThat(most)
        .isBetween(shape == Shape.NORMAL ? 1.5 : 0.49, shape == Shape.NORMAL ? 1.75 : 0.5);
  }

  @Test
  void eachOfSeedTableAndIdGivesOthersAndNothingElseIsTouched() {
    float[] values = new float[6];
    new InitialRow(Shape.UNIFORM, 1, 0).fill(1, 1, values, 1, 1);
    new InitialRow(Shape.UNIFORM, 1, 0).fill(1, 2, values, 2, 1);
    new InitialRow(Shape.UNIFORM, 1, 0).fill(2, 1, values, 3, 1);
    new InitialRow(Shape.UNIFORM, 1, 1).fill(1, 1, values, 4, 1);

    assertThat(values[0]).isZero();
    assertThat(values[5]).isZero();
    assertThat(new float[] {values[1], values[2], values[3], values[4]})
        .doesNotHaveDuplicates()
        .doesNotContain(0);
  }

  @Test
  void aSpreadOfZeroGivesZeros() {
    float[] values = {1, 1};
    new InitialRow(Shape.NORMAL, 0, 0).fill(1, 1, values, 0, 2);
    assertThat(values).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(floats = {-1, Float.NaN, Float.POSITIVE_INFINITY})
  void anImpossibleSpreadIsRefused(float spread) {
    assertThatThrownBy(() -> new InitialRow(Shape.NORMAL, spread, 0))
        .hasMessageContaining("spread of " + spread);
  }
}
