package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class KeptLabelsTest {

  /** Record 7 is none. */
  private static final RecordSet EXAMPLES =
      RecordSet.of(List.of(new RecordRun("clicks", 0, 0, 7), new RecordRun("clicks", 0, 8, 2)));

  private static void require(long offset, Map<String, String> options) {
    KeptLabels.requireNoneOf(
        RecordSet.of(List.of(new RecordRun("clicks", 0, offset, 1))),
        () -> EXAMPLES,
        Configuration.fromMap(options));
  }

  @Test
  void theLabelOfOneOfTheLastIsKept() {
    Map<String, String> three = Map.of("input.label-lags", "3");

    assertThatCode(() -> require(5, three)).doesNotThrowAnyException();
    assertThatThrownBy(() -> require(6, three))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("Record 6 of clicks-0 is among the last 3")
        .hasMessageContaining("learn 1 more");
  }

  @Test
  void byKeyAnyMayBeKept() {
    Map<String, String> byKey = Map.of("input.label-lags", "1", "input.label-lags-by", "key");

    assertThatThrownBy(() -> require(0, byKey))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("input.label-lags-by: key");
  }

  @Test
  void withoutLagsNoneIs() {
    assertThatCode(() -> require(9, Map.of())).doesNotThrowAnyException();
  }
}
