package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats json and csv of named fields. */
class RecordFormatsTest {

  private static final String FIELDS =
      "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b.c[1]\",\"kind\":\"number\"},"
          + "{\"path\":\"d\",\"kind\":\"category\",\"words\":4}]";

  private static final String COLUMNS =
      "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b\",\"kind\":\"category\",\"words\":4},"
          + "{\"path\":\"[2]\",\"kind\":\"boolean\"}]";

  @Test
  void jsonFindsNestedValuesAndPassesOverOthers() throws Exception {
    Example example =
        Records.features(
            FIELDS,
            "{\"x\":{\"a\":[1,{\"a\":2}]},\"b\":{\"c\":[{\"a\":3},4.5,5],\"b\":0},\"d\":12,\"a\":7}");

    assertThat(example.features()[0]).isEqualTo(7);
    assertThat(example.features()[1]).isEqualTo(4.5f);
    assertThat(example.words()).containsExactly("12");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[\"http.status\"] | http.status",
        "[\"\"] | ``",
        "[\"a[0]\"] | a[0]",
        "[\"\\\"a.\\\\\"] | \"a.\\",
      })
  void aNameInQuotesIsOneStep(String path, String name) throws Exception {
    FieldPath quoted = FieldPath.of(path);
    FieldPath nested = FieldPath.of("o" + path + ".x");
    String fields =
        "[{\"path\":%s,\"kind\":\"number\"}]".formatted(JsonNodeFactory.instance.textNode(path));
    String record = JsonNodeFactory.instance.objectNode().put(name, 200).toString();

    assertThat(quoted.steps()).containsExactly(name);
    assertThat(quoted).hasToString(path);
    assertThat(nested.steps()).containsExactly("o", name, "x");
    assertThat(nested).hasToString("o" + path + ".x");
    assertThat(LabelRule.of(path + " == 200").path()).isEqualTo(quoted);
    assertThat(Records.features(fields, record).features()).containsExactly(200);
  }

  /** Otherwise a hold-out table would have other words than the topic. */
  @ParameterizedTest
  @CsvSource({
    "5.0, 5.0",
    "0.10, 0.1",
    "-0, 0",
    "-2.50, -2.5",
    "0.1234567890123456789, 0.1234567890123456789",
    "12345678901234567890.0, 12345678901234567890.0",
    "98765432109876543210, 98765432109876543210",
    "True, true",
    "FALSE, false",
    "007, '\"007\"'",
    "1e3, '\"1e3\"'",
    "5., '\"5.\"'",
    "tRUE, '\"tRUE\"'",
  })
  void aCellIsTheWordThatTheSameValueIsInJson(String cell, String json) throws Exception {
    String column = "{\"path\":\"b\",\"kind\":\"category\",\"words\":4}";
    String hashed = "{\"path\":\"b\",\"name\":\"h\",\"kind\":\"category\",\"buckets\":999}";
    String given =
        "{\"path\":\"b\",\"name\":\"g\",\"kind\":\"category\",\"values\":[\"x\",\"%s\"]}"
            .formatted(cell);
    String fields = "[%s,%s,%s]".formatted(column, hashed, given);
    RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(fields, null));
    Example ofCell = Records.read("csv", Map.of("csv.columns", "b"), features, cell);
    Example ofJson = Records.features(fields, "{\"b\":%s}".formatted(json));

    assertThat(ofCell.words()).isEqualTo(ofJson.words());
    assertThat(ofCell.features()).isEqualTo(ofJson.features());
    assertThat(ofCell.features()[ofCell.features().length - 1]).isEqualTo(1);
  }

  @Test
  void oneNameOfAFieldIsEnoughOfAColumn() throws Exception {
    RecordFeatures features =
        RecordFeatures.of(
            FieldsDescription.parse(
                "[{\"path\":\"a\",\"aliases\":[\"old\",\"older\"],\"kind\":\"number\"}]", null));

    assertThat(Records.read("csv", Map.of("csv.columns", "x\nold"), features, "1,2").features())
        .containsExactly(2);
    assertThat(Records.read("csv", Map.of("csv.columns", "old\na"), features, "1,2").features())
        .containsExactly(2);
    assertThatThrownBy(() -> Records.read("csv", Map.of("csv.columns", "x\ny"), features, "1,2"))
        .hasMessage("\"a\" is no column of csv; there are x, y");
  }

  @Test
  void aNameInQuotesIsAColumn() throws Exception {
    RecordFeatures features =
        RecordFeatures.of(
            FieldsDescription.parse(
                "[{\"path\":\"[\\\"a.b\\\"]\",\"kind\":\"number\"},"
                    + "{\"path\":\"[\\\"c[0]\\\"]\",\"kind\":\"number\"}]",
                null));
    Example example = Records.read("csv", Map.of("csv.columns", "c[0]\na.b"), features, "1,2");

    assertThat(example.features()).containsExactly(2, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1] | a JSON object expected, an array found",
        "{\"a\":1} x | not JSON at byte",
        "{\"a\":1}{} | nothing expected after the object, more found at byte",
        "{\"a\":1,\"a\":2} | \"a\" is there twice",
        "{\"b\":{\"c\":[]},\"b\":{}} | \"b\" is there twice",
        "{\"a\":NaN} | not JSON at byte",
        "{\"a\":01} | not JSON at byte",
        "{\"a\":1 | not JSON at byte",
        "{\"a\":{}} | field \"a\": a number expected, an object found",
      })
  void whatIsNoSuchObjectIsRejected(String record, String reason) {
    assertThatThrownBy(() -> Records.features(FIELDS, record))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void nestingHasALimitAndATwiceNamedOtherFieldIsNoMistake() throws Exception {
    assertThatThrownBy(() -> Records.features(FIELDS, "{\"z\":" + "[".repeat(100)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("beyond a limit");
    assertThat(Records.features(FIELDS, "{\"z\":1,\"z\":2,\"a\":3}").features()[0]).isEqualTo(3);
  }

  @Test
  void corruptJsonIsRejectedAndLeavesNothingBehind() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    FieldsDescription description = FieldsDescription.parse(FIELDS, null);
    RecordFeatures features = RecordFeatures.of(description);
    FieldFormat format =
        new FieldFormat(RecordFormats.named("json", features.plan(), Map.of()), features);
    byte[] good = "{\"a\":1.5,\"b\":{\"c\":[0,2]},\"d\":\"\u00e9\uD83D\uDE00\"}".getBytes(UTF_8);
    Example example = new Example(features.shape());
    for (int i = 0; i < 10_000; i++) {
      byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      example.reset();
      try {
        format.read(bad, example);
      } catch (InvalidExampleException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      }
      example.reset();
      format.read(good, example);
      assertThat(example.features()).as("seed %d", seed).startsWith(1.5f, 2f);
      assertThat(example.words()).as("seed %d", seed).containsExactly("\u00e9\uD83D\uDE00");
    }
  }

  @Test
  void csvFindsColumnsByNameAndPlace() throws Exception {
    Example example = csv("a\nb\nc\nd", " 1.5 ,\"x, \"\"y\"\"\",true,");

    assertThat(example.features()[0]).isEqualTo(1.5f);
    assertThat(example.words()).containsExactly("x, \"y\"");
    assertThat(example.features()[7]).isEqualTo(1);
  }

  @Test
  void anEmptyCellIsMissingAndANumberOnlyWhatIsDecimal() throws Exception {
    Example example = csv("a\nb\nc", ",,");

    assertThat(example.features()[0]).isNaN();
    assertThat(example.words()).containsExactly((String) null);
    assertThatThrownBy(() -> csv("a\nb\nc", "0x1p3,,"))
        .hasMessage("field \"a\": a number expected, \"0x1p3\" found");
    assertThatThrownBy(() -> csv("a\nb\nc", "NaN,,"))
        .hasMessage("field \"a\": a number expected, \"NaN\" found");
    assertThatThrownBy(() -> csv("a\nb\nc", "1,2")).hasMessage("3 columns expected, 2 found");
    assertThatThrownBy(() -> csv("a\nc", "1,2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"b\" is no column of csv; there are a, c");
  }

  private static Example csv(String columns, String line) throws InvalidExampleException {
    RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(COLUMNS, null));
    return Records.read("csv", Map.of("csv.columns", columns), features, line);
  }

  @Test
  void aFormatTravelsWithItsJob() throws Exception {
    RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(FIELDS, null));
    FieldFormat format =
        new FieldFormat(RecordFormats.named("json", features.plan(), Map.of()), features);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(format);
    }
    FieldFormat copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (FieldFormat) in.readObject();
    }
    Example example = new Example(features.shape());
    copy.read("{\"a\":1,\"d\":\"x\"}".getBytes(UTF_8), example);

    assertThat(example.words()).containsExactly("x");
  }

  @Test
  void aFormatThatIsNotThereIsToldWithThoseThatAre() {
    assertThatThrownBy(() -> RecordFormats.named("xml", null, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("\"xml\"", "csv", "json");
  }
}
