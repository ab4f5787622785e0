package dev.millrace.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1970-01-02T00:00Z",
        "1970-01-02T00:00:00Z",
        "1970-01-02t00:00:00.000z",
        "1970-01-02 00:00:00Z",
        "1970-01-02T01:00+01:00",
        "1970-01-02T01:00:00+0100",
        "1970-01-02T01:00:00.0+01",
        "1970-01-01T22:30-01:30",
        "1970-01-01T24:00Z",
      })
  void oneTimeHasManyForms(String text) {
    assertThat(IsoTime.withOffset(text)).isEqualTo(86_400_000);
    assertThat(IsoTime.inUtc(text)).isEqualTo(86_400_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1970-01-02T00:00", "1970-01-02 00:00:00", "1970-01-02"})
  void withoutAnOffsetItIsInUtcOrNone(String text) {
    assertThat(IsoTime.inUtc(text)).isEqualTo(86_400_000);
    assertThatThrownBy(() -> IsoTime.withOffset(text)).isInstanceOf(DateTimeException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "noon",
        "1970-1-2",
        "1970-01-02T",
        "1970-01-02T00:00+",
        "1970-13-01",
        "2026-02-30",
        "2026-02-30T00:00:00Z",
        "2026-02-29 12:00",
        "2026-04-31t00:00+01:00",
        "0000-00-00 00:00:00",
        "T00:00Z",
      })
  void anotherTextIsNoTime(String text) {
    assertThatThrownBy(() -> IsoTime.inUtc(text)).isInstanceOf(DateTimeException.class);
  }

  @Test
  void whatIsBeyondLongIsNoTimeEither() {
    assertThatThrownBy(() -> IsoTime.inUtc("+999999999-01-01T00:00Z"))
        .isInstanceOf(ArithmeticException.class);
  }
}
