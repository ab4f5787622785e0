package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.SkippedRecordException;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

  private static final FieldsDescription FIELDS =
      FieldsDescription.parse(
          "[{\"path\":\"amount\",\"kind\":\"number\",\"aliases\":[\"sum\"]},"
              + "{\"path\":\"fraud\",\"role\":\"label\"}]",
          null);

  @ParameterizedTest
  @ValueSource(strings = {"c", "r", "u"})
  void aRowIsReadAsItIsAfterwards(String operation) throws Exception {
    assertThat(amount(Envelope.DEBEZIUM, event(operation, "{'amount':7,'fraud':1}"))).isEqualTo(7);
    assertThat(amount(Envelope.DEBEZIUM, event(operation, "{'sum':8,'fraud':1}"))).isEqualTo(8);
    assertThat(
            amount(
                Envelope.DEBEZIUM_PAYLOAD,
                "{'schema':{'op':'d'},'payload':%s}"
                    .formatted(event(operation, "{'amount':9,'fraud':0}"))))
        .isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "t", "m"})
  void whatLeavesNoRowIsSkipped(String operation) {
    assertThatThrownBy(() -> amount(Envelope.DEBEZIUM, event(operation, "null")))
        .isInstanceOf(SkippedRecordException.class);
  }

  @Test
  void whatIsNoEnvelopeIsNoSkip() {
    assertThatThrownBy(() -> amount(Envelope.DEBEZIUM, "{'amount':7,'fraud':1}"))
        .isExactlyInstanceOf(InvalidExampleException.class)
        .hasMessageStartingWith("the envelope debezium expected, and there is no op");
    assertThatThrownBy(() -> amount(Envelope.DEBEZIUM, event("x", "{'amount':7,'fraud':1}")))
        .isExactlyInstanceOf(InvalidExampleException.class)
        .hasMessage("Debezium's op is one of c, r, u, d, t and m, not \"x\"");
    assertThatThrownBy(() -> amount(Envelope.DEBEZIUM, event("c", "null")))
        .isExactlyInstanceOf(InvalidExampleException.class);
  }

  @Test
  void aTombstoneIsSkippedInAnEnvelopeAlone() {
    assertThat(format(Envelope.NONE).skipsTombstones()).isFalse();
    assertThat(format(Envelope.DEBEZIUM).skipsTombstones()).isTrue();
  }

  private static String event(String operation, String after) {
    return "{'before':{'amount':1,'fraud':0},'after':%s,'source':{'op':'d'},'op':'%s','ts_ms':5}"
        .formatted(after, operation);
  }

  private static float amount(Envelope envelope, String json) throws InvalidExampleException {
    Example example = new Example(FIELDS.shape(Target.CLASSIFICATION, 2));
    format(envelope).read(json.replace('\'', '"').getBytes(UTF_8), example);
    return example.features()[0];
  }

  private static ExampleFormat format(Envelope envelope) {
    RecordFeatures features =
        RecordFeatures.labelled(FIELDS, FIELDS.shape(Target.CLASSIFICATION, 2), List.of());
    return new FieldFormat(
        RecordFormats.named("json", envelope.around(features.plan()), Map.of()),
        features,
        envelope);
  }
}
