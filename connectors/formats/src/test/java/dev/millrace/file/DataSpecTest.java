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
    assertThat(DataSpec.parse("digits:10,3").absolute()).hasToString("digits:10,3");
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

  @Test
  void namesGeneratedDigitsWithOrWithoutASeed() {
    assertThat(DataSpec.parse("digits:20000"))
        .isEqualTo(new DataSpec.Digits(20_000, DataSpec.Digits.DEFAULT_SEED));
    assertThat(DataSpec.parse("digits:20000,-7")).isEqualTo(new DataSpec.Digits(20_000, -7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"idx:dir", "csv:a.csv", "csv:a.csv,holdout=9", "digits:10", "digits:10,3"})
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

  @ParameterizedTest
  @ValueSource(strings = {"digits:many", "digits:10,x", "digits:-1", "digits:1,2,3", "digits:0"})
  void digitsTakeACountAndASeed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataSpec.parse(text))
        .withMessageContaining("digits");
  }
}
