package dev.millrace.example;

import static dev.millrace.example.Shapes.CLASSES;
import static dev.millrace.example.Shapes.NUMBERS;
import static dev.millrace.example.Shapes.SUBSETS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormatTest {

  private static final FormatSettings NAMED =
      new FormatSettings(false, ',', List.of("UP", "a \"big\", fall", "1"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.5,-2,2",
        "1.5,-2,2\n",
        "1.5,-2,2\r\n",
        "\ufeff1.5,-2,2",
        "\ufeff\"1.5\",-2,2",
        " 1.5 ,\t-2e0 , 2.0 ",
        "\"1.5\", \"-2\" ,\"2\"",
        "+1.5,-2.,2",
      })
  void readsOneLine(String line) throws Exception {
    Example example = read(CLASSES, FormatSettings.defaults(), line);

    assertThat(example.features()).containsExactly(1.5f, -2f);
    assertThat(example.labels()).containsExactly(0, 0, 1);
  }

  @Test
  void readsLabelsFirstWithAnotherSeparator() throws Exception {
    FormatSettings settings = new FormatSettings(true, ';', List.of());

    assertThat(read(CLASSES, settings, "2;1;0.5").features()).containsExactly(1, 0.5f);
    Example numbers = read(NUMBERS, settings, "-1;-2;-3;4;5");
    assertThat(numbers.labels()).containsExactly(-1, -2, -3);
    assertThat(numbers.features()).containsExactly(4, 5);
    assertThat(read(CLASSES, new FormatSettings(false, ' ', List.of()), "1 2 0").features())
        .containsExactly(1, 2);
    assertThat(read(CLASSES, new FormatSettings(false, '\t', List.of()), " 1\t2\t0").features())
        .containsExactly(1, 2);
  }

  @Test
  void readsClassesByNameBeforeNumber() throws Exception {
    assertThat(read(CLASSES, NAMED, "0,0,UP").labels()).containsExactly(1, 0, 0);
    assertThat(read(CLASSES, NAMED, "0,0,\"a \"\"big\"\", fall\"").labels())
        .containsExactly(0, 1, 0);
    assertThat(read(CLASSES, NAMED, "0,0,1").labels()).containsExactly(0, 0, 1);
    FormatSettings words = new FormatSettings(false, ',', List.of("up", "down", "1e"));
    assertThat(read(CLASSES, words, "0,0,1.0").labels()).containsExactly(0, 1, 0);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({"1, 0", "1.0, 0", "+1e0, 0", "'\"3\"', 1", "3.00, 1", "0.5, 2", "-0.0, -1", "2, -1"})
  void whereNamesAreNumbersANumberIsAName(String label, int expected) throws Exception {
    FormatSettings numbers = new FormatSettings(false, ',', List.of("1", "3", "0.5"));

    if (expected >= 0) {
      assertThat(read(CLASSES, numbers, "0,0," + label).labels()[expected]).isEqualTo(1);
    } else {
      assertThatThrownBy(() -> read(CLASSES, numbers, "0,0," + label))
          .isInstanceOf(InvalidExampleException.class)
          .hasMessage("label is no class name: \"%s\"; classes are 1, 3, 0.5".formatted(label));
    }
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "``|2 features expected, 0 found",
        "1|2 features expected, 0 found",
        "1,2|2 features expected, 1 found",
        "1,2,3,0|2 features expected, 3 found",
        "1,2,0,|2 features expected, 3 found",
        "1;2;0|2 features expected, 0 found",
        "1,,0|feature 1 is empty",
        "1,\"\",0|feature 1 is empty",
        "1,?,0|feature 1 is not a number: \"?\"",
        "1,NaN,0|feature 1 is NaN",
        "1,Infinity,0|feature 1 is not a number: \"Infinity\"",
        "1,0x1p3,0|feature 1 is not a number: \"0x1p3\"",
        "1,2f,0|feature 1 is not a number: \"2f\"",
        "1,1-2,0|feature 1 is not a number: \"1-2\"",
        "1,e,0|feature 1 is not a number: \"e\"",
        "1,1e40,0|feature 1 is beyond the range of float: \"1e40\"",
        "1,2,|label is not a number: \"\"",
        "1,2,cat|label is not a number: \"cat\"",
        "1\ufeff,2,0|feature 0 is not a number: \"1\\ufeff\"",
        "1,2\u00a0,0|feature 1 is not a number: \"2\\u00a0\"",
        "\ufeff\ufeff1,2,0|feature 0 is not a number: \"\\ufeff1\"",
        "1,2,3|label 3 is out of range 0 to 2",
        "1,2,-1|label -1 is out of range 0 to 2",
        "1,2,0.5|label 0.5 is not a whole number",
        "1,2,3.00|label 3.00 is out of range 0 to 2",
        "1,2,1e30|label 1e30 is out of range 0 to 2",
        "1,2,1e999|label 1e999 is out of range 0 to 2",
        "1,2\",0|a quote within a field without quotes at byte 3",
        "1,\"2,0|the quote at byte 2 is not closed",
        "1,\"2\"x,0|a separator expected at byte 5",
        "`1,2,0\n1,2,0\n`|one line expected, a line end found at byte 5",
        "`1,2,0\n\n`|one line expected, a line end found at byte 5",
      })
  void refusesWhatIsNoClassExample(String line, String reason) {
    assertThatThrownBy(() -> read(CLASSES, FormatSettings.defaults(), line))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesLabelsThatTheTargetDoesNotAllow() {
    assertThatThrownBy(() -> read(SUBSETS, FormatSettings.defaults(), "0,0,0,-0.5,1"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 1 is -0.5, out of range 0 to 1");
    assertThatThrownBy(() -> read(NUMBERS, FormatSettings.defaults(), "0,0,0,nan,1"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 1 is NaN");
    FormatSettings words = new FormatSettings(false, ',', List.of("a", "b", "c"));
    assertThatThrownBy(() -> read(CLASSES, words, "0,0,down"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label is neither a class name nor a number: \"down\"");
    assertThatThrownBy(() -> read(CLASSES, NAMED, "0,0,down"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label is no class name: \"down\"; classes are UP, a \"big\", fall, 1");
  }

  @Test
  void labelsThatNobodyNeedsAreNotLookedAt() throws Exception {
    FormatSettings first = new FormatSettings(true, ',', List.of());

    assertThat(readUnlabelled(CLASSES, NAMED, "1,2").features()).containsExactly(1, 2);
    assertThat(readUnlabelled(CLASSES, NAMED, "1,2,cow").features()).containsExactly(1, 2);
    assertThat(readUnlabelled(CLASSES, NAMED, "1,2,").features()).containsExactly(1, 2);
    assertThat(readUnlabelled(CLASSES, first, "1,2").features()).containsExactly(1, 2);
    assertThat(readUnlabelled(CLASSES, first, "?,1,2").features()).containsExactly(1, 2);
    assertThat(readUnlabelled(NUMBERS, first, ",,,1,2").features()).containsExactly(1, 2);
    assertThatThrownBy(() -> readUnlabelled(NUMBERS, first, "1,2,3,4"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("2 columns expected, or 5 with labels, 4 found");
  }

  @Test
  void cutsWhatCameOutOfTheReason() {
    assertThatThrownBy(
            () -> read(CLASSES, FormatSettings.defaults(), "1," + "x\u0007".repeat(99999) + ",0"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("feature 1 is not a number: \"" + "x ".repeat(20) + "…\"");
  }

  @Test
  void aNameOfTwoLinesIsReadAsItIsWritten() throws Exception {
    FormatSettings settings = FormatSettings.defaults().withClassNames(List.of("a", "b\nc", "d"));
    Example example = read(CLASSES, settings, "1,2,\"b\nc\"");

    byte[] written = ExampleFormat.named("csv", CLASSES, settings).write(example);

    assertThat(read(CLASSES, settings, new String(written, UTF_8)).labels())
        .isEqualTo(example.labels());
  }

  private static Example readUnlabelled(ExampleShape shape, FormatSettings settings, String line)
      throws InvalidExampleException {
    Example example = new Example(shape);
    ExampleFormat.unlabelled("csv", shape, settings).read(line.getBytes(UTF_8), example);
    return example;
  }

  private static Example read(ExampleShape shape, FormatSettings settings, String line)
      throws InvalidExampleException {
    Example example = new Example(shape);
    ExampleFormat.named("csv", shape, settings).read(line.getBytes(UTF_8), example);
    return example;
  }
}
