package dev.millrace.example;

import static dev.millrace.example.Shapes.CLASSES;
import static dev.millrace.example.Shapes.NUMBERS;
import static dev.millrace.example.Shapes.SUBSETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes are written out: producers in other languages make the same. */
class BinaryFormatTest {

  private static final String HEADER = "4d525842 01 01 0100 02000000 01000000";
  private static final String FEATURES = "0000803f 000000c0";

  @Test
  void readsAndWritesAClassOfFloats() throws Exception {
    String value = HEADER + FEATURES + "02000000";
    Example example = read("float32", CLASSES, value);

    assertThat(example.features()).containsExactly(1f, -2f);
    assertThat(example.labels()).containsExactly(0, 0, 1);
    assertThat(example.weight()).isEqualTo(1);
    assertThat(example.timestamp()).isEqualTo(Example.NO_TIMESTAMP);
    assertThat(format("float32", CLASSES).write(example)).isEqualTo(bytes(value));
  }

  @Test
  void readsAndWritesLabelVectorWeightAndTimestampOfBytes() throws Exception {
    String value =
        "4d525842 01 02 0e00 02000000 03000000"
            + "ff33 0000803f 00000000 0000003f 00000040 0100000000000000";
    Example example = read("uint8", SUBSETS, value);

    assertThat(example.features()).containsExactly(1f, 0.2f);
    assertThat(example.labels()).containsExactly(1f, 0f, 0.5f);
    assertThat(example.weight()).isEqualTo(2f);
    assertThat(example.timestamp()).isEqualTo(1L);
    assertThat(format("uint8", SUBSETS).write(example)).isEqualTo(bytes(value));
  }

  @Test
  void readsAndWritesFeaturesAlone() throws Exception {
    String value = "4d525842 01 01 0000 02000000 00000000" + FEATURES;
    Example example = readUnlabelled(CLASSES, value);

    assertThat(example.features()).containsExactly(1f, -2f);
    assertThat(example.labels()).containsOnly(0f);
    assertThat(
            ExampleFormat.unlabelled("float32", CLASSES, FormatSettings.defaults()).write(example))
        .isEqualTo(bytes(value));
  }

  @Test
  void labelsThatNobodyNeedsAreNotLookedAt() throws Exception {
    String weight = "00000040";
    String classOf9 = "4d525842 01 01 0500 02000000 01000000" + FEATURES + "09000000" + weight;
    String fiveLabels =
        "4d525842 01 01 0600 02000000 05000000"
            + (FEATURES + "0000c07f0000c07f0000c07f0000c07f0000c07f" + weight);

    assertThat(readUnlabelled(CLASSES, classOf9).weight()).isEqualTo(2f);
    assertThat(readUnlabelled(NUMBERS, classOf9).weight()).isEqualTo(2f);
    assertThat(readUnlabelled(CLASSES, fiveLabels).weight()).isEqualTo(2f);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "4d525842 01 01 0000 02000000 01000000 0000803f 000000c0 00000000 | 0 labels expected, 1 found",
        "4d525842 01 01 0000 02000000 00000000 0000803f 000000c0 00 | 24 bytes expected, 25 found",
        "4d525842 01 01 0300 02000000 01000000 | either a class label or a label vector",
        "4d525842 01 01 0100 02000000 02000000 | 1 class label expected, 2 found",
        "4d525842 01 01 0200 02000000 ffffffff 0000803f 000000c0 | 17179869204 bytes expected, 24 found",
        "4d525842 01 01 0000 02000000 00000000 0000803f 0000c07f | feature 1 is NaN",
      })
  void refusesWhatIsNoExampleWithoutLabels(String value, String reason) {
    assertThatThrownBy(() -> readUnlabelled(CLASSES, value))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void roundsAndClampsFeaturesToBytes() {
    Example example = new Example(new ExampleShape(5, 3, NUMBERS.target()));
    System.arraycopy(new float[] {-3, 0.5f, 7, Float.NaN, 0.0021f}, 0, example.features(), 0, 5);

    byte[] value = format("uint8", example.shape()).write(example);

    assertThat(Arrays.copyOfRange(value, 16, 21)).containsExactly(0, 128, 255, 0, 1);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | a header of 16 bytes expected, 0 found",
        "4d5258420101010002000000010000 | a header of 16 bytes expected, 15 found",
        "4d525843 01 01 0100 02000000 01000000 | magic 0x4258524d (\"MRXB\") expected, 0x4358524d",
        "4d525842 02 01 0100 02000000 01000000 | version 1 expected, 2 found",
        "4d525842 01 02 0100 02000000 01000000 | type 1 expected, 2 found",
        "4d525842 01 ff 0100 02000000 01000000 | type 1 expected, 255 found",
        "4d525842 01 01 1100 02000000 01000000 | flags 0x0010 are not known",
        "4d525842 01 01 0080 02000000 01000000 | flags 0x8000 are not known",
        "4d525842 01 01 0000 02000000 01000000 | either a class label or a label vector",
        "4d525842 01 01 0300 02000000 01000000 | either a class label or a label vector",
        "4d525842 01 01 0100 03000000 01000000 | 2 features expected, 3 found",
        "4d525842 01 01 0100 ffffffff 01000000 | 2 features expected, 4294967295 found",
        "4d525842 01 01 0100 02000000 02000000 | 1 class label expected, 2 found",
        "4d525842 01 01 0200 02000000 02000000 | 3 labels expected, 2 found",
        "4d525842 01 01 0100 02000000 01000000 0000803f | 28 bytes expected, 20 found",
        "4d525842 01 01 0100 02000000 01000000 0000803f 000000c0 00000000 00 | 28 bytes expected, 29",
        "4d525842 01 01 0100 02000000 01000000 0000803f 0000c07f 00000000 | feature 1 is NaN",
        "4d525842 01 01 0100 02000000 01000000 000080ff 000000c0 00000000 | feature 0 is infinite",
        "4d525842 01 01 0100 02000000 01000000 0000803f 000000c0 03000000 | label 3 is out of range 0 to 2",
        "4d525842 01 01 0100 02000000 01000000 0000803f 000000c0 ffffffff | label -1 is out of range 0 to 2",
        "4d525842 01 01 0200 02000000 03000000 0000803f 000000c0 000000000000803f0000803f | one label of 1 expected, 2",
        "4d525842 01 01 0500 02000000 01000000 0000803f 000000c0 00000000 00000000 | weight 0.0 is not",
        "4d525842 01 01 0500 02000000 01000000 0000803f 000000c0 00000000 0000c07f | weight NaN is not",
        "4d525842 01 01 0500 02000000 01000000 0000803f 000000c0 00000000 0000807f | weight Infinity is not",
        "4d525842 01 01 0900 02000000 01000000 0000803f 000000c0 00000000 0000000000000080 | out of range",
      })
  void refusesWhatIsNoClassExample(String value, String reason) {
    assertThatThrownBy(() -> read("float32", CLASSES, value))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesLabelsThatTheTargetDoesNotAllow() {
    assertThatThrownBy(() -> read("float32", NUMBERS, HEADER + FEATURES + "02000000"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("a label vector expected, a class label found");
    String vector = "4d525842 01 01 0200 02000000 03000000" + FEATURES;
    assertThatThrownBy(() -> read("float32", SUBSETS, vector + "000000000000004000000000"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 1 is 2.0, out of range 0 to 1");
    assertThatThrownBy(() -> read("float32", NUMBERS, vector + "000000000000807f00000000"))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("label 1 is infinite");
  }

  private static Example read(String name, ExampleShape shape, String hex)
      throws InvalidExampleException {
    Example example = new Example(shape);
    format(name, shape).read(bytes(hex), example);
    return example;
  }

  private static Example readUnlabelled(ExampleShape shape, String hex)
      throws InvalidExampleException {
    Example example = new Example(shape);
    ExampleFormat.unlabelled("float32", shape, FormatSettings.defaults()).read(bytes(hex), example);
    return example;
  }

  private static ExampleFormat format(String name, ExampleShape shape) {
    return ExampleFormat.named(name, shape, FormatSettings.defaults());
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
