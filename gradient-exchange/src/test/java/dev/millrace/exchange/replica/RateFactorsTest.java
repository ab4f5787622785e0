package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateFactorsTest {

  /** Rising from 1, with a mean of changes, or from a share, with a sum of them. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 1, 1",
    "1, 500, 4.5, 2",
    "1, 1000, 8, 3",
    "1, 9000, 8, 3",
    "0.5, 500, 4.25, 1.75",
  })
  void riseInProportionToTheExamples(
      double first, long examples, double proportional, double adaptive) {
    RateFactors rates = new RateFactors(8, 3, first, 1_000);

    assertThat(rates.proportional(examples)).isEqualTo(proportional);
    assertThat(rates.adaptive(examples)).isEqualTo(adaptive);
  }

  @ParameterizedTest
  @CsvSource({"0", "500", "1000"})
  void nothingFalls(long examples) {
    RateFactors rates = new RateFactors(0.25, 1, 1, 1_000);

    assertThat(rates.proportional(examples)).isEqualTo(0.25);
    assertThat(rates.adaptive(examples)).isEqualTo(1);
  }

  @Test
  void aWarmUpMayHaveNothingToRaise() {
    assertThat(new RateFactors(8, 1, 1, 1_000).rise()).isTrue();
    assertThat(new RateFactors(1, 3, 1, 1_000).rise()).isTrue();
    assertThat(new RateFactors(1, 1, 1, 1_000).rise()).isFalse();
    assertThat(new RateFactors(8, 3, 1, 0).rise()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0", "7"})
  void withoutAWarmUpTheyAreThereAtOnce(long examples) {
    RateFactors rates = new RateFactors(8, 3, 1, 0);

    assertThat(rates.proportional(examples)).isEqualTo(8);
    assertThat(rates.adaptive(examples)).isEqualTo(3);
  }
}
