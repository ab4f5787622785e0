package dev.millrace.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.file.DataSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTest {

  @Test
  void areNamedWithOrWithoutASeed() {
    assertThat(DataSpec.parse("digits:20000")).isEqualTo(new Digits(20_000, Digits.DEFAULT_SEED));
    assertThat(DataSpec.parse("digits:20000,-7")).isEqualTo(new Digits(20_000, -7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"digits:10", "digits:10,3"})
  void areWrittenAsTheyWereRead(String text) {
    assertThat(DataSpec.parse(text).absolute()).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"digits:many", "digits:10,x", "digits:-1", "digits:1,2,3", "digits:0"})
  void takeACountAndASeed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSpec.parse(text))
        .withMessageContaining("digits ");
  }
}
