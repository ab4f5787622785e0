package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of json and csv. */
class RecordObjectsTest {

  private static String csv(String columns, String line) throws InvalidExampleException {
    byte[] json =
        RecordFormats.objects("csv", Map.of("csv.columns", columns)).json(line.getBytes(UTF_8));
    return new String(json, UTF_8);
  }

  @Test
  void eachColumnIsAFieldAndAnEmptyCellIsNone() throws Exception {
    assertThat(
            csv("a\nb\nc d\ne\nf\ng\nh", "-1.50,,\"x \"\"y\"\" ☂\",True,007,1e3,9007199254740993"))
        .isEqualTo(
            "{\"a\":-1.50,\"c d\":\"x \\\"y\\\" ☂\",\"e\":true,\"f\":\"007\",\"g\":\"1e3\","
                + "\"h\":9007199254740993}");
    assertThatThrownBy(() -> csv("a\nb", "1")).hasMessage("2 columns expected, 1 found");
  }

  /** A job that trains on objects and one that scores the lines have the same words. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "5.0", "0.10", "-0", "-2.50", "0.1234567890123456789", "12345678901234567890.0", "True",
        "98765432109876543210", "FALSE", "007", "1e3", "5.", "tRUE", "NaN"
      })
  void aCellIsTheSameWordInTheObject(String cell) throws Exception {
    String fields = "[{\"path\":\"b\",\"kind\":\"category\",\"words\":4}]";
    RecordFeatures features = RecordFeatures.of(FieldsDescription.parse(fields, null));

    assertThat(Records.features(fields, csv("b", cell)).words())
        .isEqualTo(Records.read("csv", Map.of("csv.columns", "b"), features, cell).words());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-999", "-999.0", "-998.0", "1.5", "NA", "NaN", "007"})
  void aCellIsMissingInTheObjectWhereItIsInTheLine(String cell) throws Exception {
    FieldsDescription description =
        FieldsDescription.parse(
            "[{\"path\":\"a\",\"kind\":\"number\"},{\"path\":\"b\",\"kind\":\"category\",\"words\":4}]",
            null,
            FieldTexts.of(List.of("-999", "NA", "NaN", "7"), '.'));
    RecordFeatures features = RecordFeatures.of(description);
    String line = cell + "," + cell;

    Example direct = Records.read("csv", Map.of("csv.columns", "a\nb"), features, line);
    Example joined = Records.read("json", Map.of(), features, csv("a\nb", line));

    assertThat(joined.features()).isEqualTo(direct.features());
    assertThat(joined.words()).isEqualTo(direct.words());
  }

  @Test
  void columnsNeedNamesThatDiffer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.objects("csv", Map.of()))
        .withMessageContaining("The columns of csv have no names");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> csv("a\na", "1,2"))
        .withMessageContaining("Two columns of csv have the same name");
  }

  @Test
  void anObjectStaysAsItIsWritten() throws Exception {
    byte[] object = " {\"a\" : 1.0}".getBytes(UTF_8);
    byte[] withId = (" ".repeat(5) + " {\"a\" : 1.0}").getBytes(UTF_8);
    Arrays.fill(withId, 0, 5, (byte) 0);

    assertThat(RecordFormats.objects("json", Map.of()).json(object)).isSameAs(object);
    assertThat(RecordFormats.objects("json-confluent", Map.of()).json(withId)).isEqualTo(object);
    assertThatThrownBy(() -> RecordFormats.objects("json-confluent", Map.of()).json(object))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining("a header that begins with byte 0 expected");
  }
}
