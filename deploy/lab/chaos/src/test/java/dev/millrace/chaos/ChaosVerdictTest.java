package dev.millrace.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosVerdictTest {

  @Test
  void isGoodWhenEachRecordIsThereOnceAndTheModelIsAsGood() {
    ChaosVerdict verdict = new ChaosVerdict(30, 50_000, 0, 0, true, 0, List.of());

    assertThat(verdict.isGood()).isTrue();
    assertThat(verdict.line()).isEqualTo("faults 30, records 50000, lost 0, doubled 0");
  }

  @Test
  void saysWhatIsWrong() {
    ChaosVerdict verdict = new ChaosVerdict(30, 50_000, 2, 1, false, 7, List.of("Rows are lost"));

    assertThat(verdict.isGood()).isFalse();
    assertThat(verdict.problems())
        .containsExactly(
            "2 records are not in the model",
            "1 records are in the model more than once",
            "The model has values that are no numbers",
            "The latest published model lacks 7 records that the savepoint has",
            "Rows are lost");
  }

  @Test
  void aRunWithoutFaultsShowsNothing() {
    assertThat(new ChaosVerdict(0, 1, 0, 0, true, 0, List.of()).problems())
        .singleElement()
        .asString()
        .contains("No fault");
  }

  @Test
  void aModelThatIsWorseOrWasNotMeasuredIsNotGood() {
    assertThat(DigitsWorkload.problems(Double.NaN, 0.9)).hasSize(1);
    assertThat(DigitsWorkload.problems(0.94, 0.955))
        .containsExactly("Its accuracy is 0.9400; without faults it is 0.9550");
    assertThat(DigitsWorkload.problems(0.951, 0.955)).isEmpty();
  }
}
