package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataSpecTest {

  @Test
  void filesHaveAPlaceInEveryProcess() {
    assertThat(DataSpec.parse("csv:a.csv,holdout=10").absolute())
        .hasToString("csv:" + Path.of("a.csv").toAbsolutePath() + ",holdout=10");
    assertThat(DataSpec.parse("idx:mnist").absolute())
        .hasToString("idx:" + Path.of("mnist").toAbsolutePath());
  }

  @Test
  void namesADirectoryOfIdxFiles() {
    assertThat(DataSpec.parse("idx:data/mnist"))
        .isEqualTo(new DataSpec.Idx(Path.of("data", "mnist")));
  }

  @Test
  void namesATableWithOrWithoutAHoldOut() {
    assertThat(DataSpec.parse("csv:a,b.csv")).isEqualTo(new DataSpec.Csv(Path.of("a,b.csv"), 0));
    assertThat(DataSpec.parse("csv:a.csv,holdout=50"))
        .isEqualTo(new DataSpec.Csv(Path.of("a.csv"), 50));
  }

  @ParameterizedTest
  @ValueSource(strings = {"idx:dir", "csv:a.csv", "csv:a.csv,holdout=9"})
  void isWrittenAsItWasRead(String text) {
    assertThat(DataSpec.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mnist", "idx", "idx:", "csv: ", ":x", "parquet:a", "IDX:dir"})
  void anythingElseIsRefusedAndTheKindsNamed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSpec.parse(text))
        .withMessageContainingAll("idx:DIR", "csv:FILE", "digits:COUNT", '"' + text + '"');
  }

  /** A job has no provider of them. */
  @Test
  void drawnDigitsAreForCommandsAlone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSpec.parse("digits:10"))
        .withMessageContainingAll("for commands of millrace alone", "\"digits:10\"");
  }
}
