package dev.millrace.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DistanceTest {

  @Test
  void measuresTheValuesOfARange() {
    float[] a = {9, 3, 4, 9};
    float[] b = {1, 3, 1, 1};

    Distance distance = Distance.of(a, b, 1, 2);

    assertThat(distance.values()).isEqualTo(2);
    assertThat(distance.l2()).isEqualTo(3);
    assertThat(distance.relative()).isEqualTo(0.6);
    assertThat(distance.largest()).isEqualTo(3);
    assertThat(distance.cosine()).isCloseTo(13 / (5 * Math.sqrt(10)), within(1e-12));
  }

  @Test
  void whatCannotBeSaidIsNull() {
    Distance fromZero = Distance.of(new float[2], new float[] {3, 4}, 0, 2);
    assertThat(fromZero.l2()).isEqualTo(5);
    assertThat(fromZero.relative()).isNull();
    assertThat(fromZero.cosine()).isNull();

    Distance ofNothing = Distance.of(new float[] {Float.NaN}, new float[1], 0, 1);
    assertThat(ofNothing.l2()).isNull();
    assertThat(ofNothing.isNone()).isFalse();
  }

  @Test
  void equalValuesHaveNone() {
    float[] values = {1e-30f, -2};

    assertThat(Distance.of(values, values.clone(), 0, 2).isNone()).isTrue();
  }
}
