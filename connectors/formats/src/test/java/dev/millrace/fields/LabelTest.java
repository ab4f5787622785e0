package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelTest {

  private static final String FEATURE = "{\"path\":\"a\",\"kind\":\"number\"}";

  private static String fields(String more) {
    return "[" + FEATURE + "," + more + "]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "status == 'fraud' | {\"status\":\"fraud\"} | 1",
        "status == 'fraud' | {\"status\":\"ok\"} | 0",
        "status != 'ok' | {\"status\":\"fraud\"} | 1",
        "status in ['a', 'b'] | {\"status\":\"b\"} | 1",
        "status in ['a', 'b'] | {\"status\":\"c\"} | 0",
        "status.code == 5 | {\"status\":{\"code\":5.0}} | 1",
        "amount > 1000 | {\"amount\":1000} | 0",
        "amount >= 1000 | {\"amount\":1000} | 1",
        "amount<1e3 | {\"amount\":999} | 1",
        "amount <= 3 | {\"amount\":4} | 0",
        "amount in [1, 2] | {\"amount\":2} | 1",
        "flag == true | {\"flag\":true} | 1",
        "flag == true | {\"flag\":1} | 1",
        "flag != true | {\"flag\":0} | 1",
        "flag == false | {\"flag\":true} | 0",
        "code == '5' | {\"code\":5} | 1",
      })
  void aRuleThatHoldsIsTheClassOne(String rule, String record, int expected) throws Exception {
    Example example =
        Records.labelled(
            fields("{\"role\":\"label\",\"rule\":\"" + rule + "\"}"),
            Target.CLASSIFICATION,
            2,
            List.of(),
            record);

    assertThat(example.labels()[expected]).isEqualTo(1);
    assertThat(example.labels()[1 - expected]).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "status = 'a'",
        "status == fraud",
        "status > 'a'",
        "status in 3",
        "in",
        "status == 'fraud' || status == 'stolen'",
        "amount > 1 000",
        "status in ['a'], ['b']"
      })
  void whatIsNoRuleIsRefused(String text) {
    assertThatThrownBy(() -> LabelRule.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no rule");
  }

  @Test
  void aLabelOfARuleMustBeThereAndComparable() {
    String fields = fields("{\"role\":\"label\",\"rule\":\"amount > 5\"}");

    assertThatThrownBy(
            () -> Records.labelled(fields, Target.CLASSIFICATION, 2, List.of(), "{\"a\":1}"))
        .hasMessage("field \"amount\" is missing");
    assertThatThrownBy(
            () ->
                Records.labelled(
                    fields, Target.CLASSIFICATION, 2, List.of(), "{\"amount\":\"much\"}"))
        .hasMessage("field \"amount\": a number expected, \"much\" found");
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "True, 1", "TRUE, 1", "1, 1", "false, 0", "False, 0", "0, 0"})
  void aRuleOfTrueTakesTheSpellingsOfTables(String cell, int expected) throws Exception {
    FieldsDescription description =
        FieldsDescription.parse(fields("{\"role\":\"label\",\"rule\":\"flag == true\"}"), null);
    Example example =
        Records.read(
            "csv",
            Map.of("csv.columns", "a\nflag"),
            RecordFeatures.labelled(
                description, description.shape(Target.CLASSIFICATION, 2), List.of()),
            "5," + cell);

    assertThat(example.labels()[expected]).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "status == 'fraud' | 1 | a word expected, 1 found",
        "status in ['a', 'b'] | 0.5 | a word expected, 0.5 found",
        "status != 'fraud' | true | a word expected, true found",
        "status == true | \"yes\" | true or false expected, \"yes\" found",
        "status == true | 2 | true or false expected, 2 found",
      })
  void aValueOfAnotherTypeThanTheRuleIsRejected(String rule, String value, String reason) {
    assertThatThrownBy(
            () ->
                Records.labelled(
                    fields("{\"role\":\"label\",\"rule\":\"" + rule + "\"}"),
                    Target.CLASSIFICATION,
                    2,
                    List.of(),
                    "{\"status\":" + value + "}"))
        .hasMessage("field \"status\": " + reason);
  }

  @Test
  void classesAreNamesOrNumbers() throws Exception {
    String fields = fields("{\"path\":\"c\",\"role\":\"label\"}");

    assertThat(label(fields, List.of("x", "y", "z"), "{\"c\":\"y\"}")).containsExactly(0, 1, 0);
    assertThat(label(fields, List.of("1", "2", "3"), "{\"c\":3.0}")).containsExactly(0, 0, 1);
    assertThat(label(fields, List.of(), "{\"c\":2}")).containsExactly(0, 0, 1);
    assertThatThrownBy(() -> label(fields, List.of("x", "y", "z"), "{\"c\":\"w\"}"))
        .hasMessage("field \"c\": label is no class name: \"w\"");
    assertThatThrownBy(() -> label(fields, List.of(), "{\"c\":3}"))
        .hasMessage("field \"c\": a class from 0 to 2 expected, 3 found");
    assertThatThrownBy(() -> label(fields, List.of(), "{\"c\":0.5}"))
        .hasMessageContaining("a class from 0 to 2 expected, 0.5 found");
  }

  private static float[] label(String fields, List<String> classes, String record)
      throws Exception {
    return Records.labelled(fields, Target.CLASSIFICATION, 3, classes, record).labels();
  }

  @Test
  void otherTargetsHaveAFieldForEachOutput() throws Exception {
    String fields =
        fields("{\"path\":\"y\",\"role\":\"label\"},{\"path\":\"z\",\"role\":\"label\"}");

    assertThat(
            Records.labelled(fields, Target.REGRESSION, 2, List.of(), "{\"y\":-5,\"z\":0.5}")
                .labels())
        .containsExactly(-5, 0.5f);
    assertThatThrownBy(
            () -> Records.labelled(fields, Target.REGRESSION, 3, List.of(), "{\"y\":1,\"z\":1}"))
        .hasMessageContaining("2 fields have the role label, and 3 are needed");
    assertThatThrownBy(
            () -> Records.labelled(fields, Target.MULTI_LABEL, 2, List.of(), "{\"y\":1,\"z\":2}"))
        .hasMessage("field \"z\": a label from 0 to 1 expected, 2 found");
  }

  @Test
  void weightIdAndTimestampAreFieldsToo() throws Exception {
    String fields =
        fields(
            "{\"path\":\"w\",\"role\":\"weight\"},{\"path\":\"id\",\"role\":\"id\"},"
                + "{\"path\":\"at\",\"role\":\"timestamp\",\"unit\":\"seconds\"}");
    Example full = Records.features(fields, "{\"w\":2.5,\"id\":17,\"at\":12}");
    Example none = Records.features(fields, "{}");

    assertThat(full.weight()).isEqualTo(2.5f);
    assertThat(full.id()).isEqualTo("17");
    assertThat(full.timestamp()).isEqualTo(12_000);
    assertThat(none.weight()).isEqualTo(1);
    assertThat(none.id()).isNull();
    assertThat(none.timestamp()).isEqualTo(Example.NO_TIMESTAMP);
    assertThatThrownBy(() -> Records.features(fields, "{\"w\":0}"))
        .hasMessage("field \"w\": a weight above 0 expected, 0 found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740993",
        "9223372036854775807",
        "18446744073709551617",
        "-9223372036854775809"
      })
  void aLargeWholeNumberKeepsItsDigits(String number) throws Exception {
    Example example =
        Records.features(
            "[{\"path\":\"n\",\"kind\":\"number\"},{\"path\":\"id\",\"role\":\"id\"},"
                + "{\"path\":\"id\",\"kind\":\"category\",\"words\":2}]",
            "{\"id\":%s,\"n\":%s}".formatted(number, number));

    assertThat(example.id()).isEqualTo(number);
    assertThat(example.words()).containsExactly(number);
    assertThat(example.features()[0]).isEqualTo(Float.parseFloat(number));
  }
}
