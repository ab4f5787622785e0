package dev.millrace.job.evaluate.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.evaluate.setup.DataChoice.Part;
import dev.millrace.job.options.InvalidOptionsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataChoiceTest {

  @Test
  void readsKindsAndParts() {
    assertThat(DataChoice.parse("idx:/data/mnist,part=training"))
        .isEqualTo(new DataChoice("idx", "/data/mnist", Part.TRAINING));
    assertThat(DataChoice.parse("csv:a,b.csv,holdout=10,part=holdout"))
        .isEqualTo(new DataChoice("csv", "a,b.csv,holdout=10", Part.HOLDOUT));
    assertThat(DataChoice.parse("topic:flowers"))
        .isEqualTo(new DataChoice("topic", "flowers", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mnist", "idx:", "xml:file", "idx"})
  void otherTextsAreRefusedWithTheKindsThereAre(String text) {
    assertThatThrownBy(() -> DataChoice.parse(text))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("--data is '" + text + "'", "idx:DIR", "topic:NAME");
  }

  @Test
  void wrongPartsAreRefused() {
    assertThatThrownBy(() -> DataChoice.parse("idx:x,part=test"))
        .hasMessageContaining("part must be holdout or training, not 'test'");
    assertThatThrownBy(() -> DataChoice.parse("topic:x,part=training"))
        .hasMessageContaining("topic has no parts");
  }
}
