package dev.millrace.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Mutation;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufObjectsTest {

  private final ProtobufObjects objects = new ProtobufObjects(Messages.SET, "net.Flow", false);

  private String json(byte[] value) throws InvalidExampleException {
    return new String(objects.json(value), UTF_8);
  }

  @Test
  void allThatAMessageHoldsIsInTheObject() throws Exception {
    assertThat(json(Messages.usual()))
        .isEqualTo(
            "{\"duration\":1.5,\"protocol\":\"tcp ☂\",\"count\":0,\"flag\":true,\"status\":\"FRAUD\","
                + "\"at\":1700000000123,\"big\":18446744073709551615,"
                + "\"steps\":[{\"x\":1.5,\"y\":1},{\"x\":2.5,\"y\":2}],\"numbers\":[-4,4],"
                + "\"tags\":{\"a\":1,\"b\":2},\"cash\":5,\"raw\":\"Pw==\","
                + "\"step\":{\"x\":0.5,\"y\":0}}");
  }

  @Test
  void whatIsNotWrittenIsTheDefaultOrLeftOut() throws Exception {
    assertThat(json(new byte[0]))
        .isEqualTo(
            "{\"duration\":0.0,\"protocol\":\"\",\"flag\":false,\"status\":\"OK\",\"big\":0,\"raw\":\"\"}");
  }

  @Test
  void anEnumThatANewerWriterKnowsIsItsNumber() throws Exception {
    assertThat(json(withEnum(5, 8))).contains("\"status\":\"8\"");
  }

  /** Classes of proto2 keep such a number apart from their fields. */
  @Test
  void anEnumOfProto2IsTheSameWordAsInTheMessage() throws Exception {
    FieldPlan plan = new FieldPlan(List.of(FieldPath.of("state")), Optional.empty(), List.of());
    FieldValues values = new FieldValues(plan);
    ProtobufObjects old = new ProtobufObjects(Messages.PROTO2, "Old", false);

    new ProtobufFormat(Messages.PROTO2, "Old", false, plan).read(withEnum(1, 7), values);

    assertThat(values.textAt(0)).isEqualTo("7");
    assertThat(old.json(withEnum(1, 7))).asString(UTF_8).isEqualTo("{\"state\":\"7\"}");
    assertThat(old.json(withEnum(1, 1))).asString(UTF_8).isEqualTo("{\"state\":\"NEW\"}");
    assertThat(old.json(new byte[0])).asString(UTF_8).isEqualTo("{}");
  }

  private static byte[] withEnum(int field, int number) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeEnum(field, number);
    out.flush();
    return bytes.toByteArray();
  }

  @Test
  void theHeaderOfARegistrysSerializerIsPassedOver() throws Exception {
    ProtobufObjects withHeader = new ProtobufObjects(Messages.SET, "net.Flow", true);

    assertThat(new String(withHeader.json(new byte[] {0, 0, 0, 0, 7, 2, 2}), UTF_8))
        .startsWith("{\"duration\":0.0,");
    assertThatThrownBy(() -> withHeader.json(new byte[] {0, 0, 0, 0, 7, 0}))
        .hasMessageContaining("the message at the places [1] of its file expected");
  }

  @Test
  void damagedBytesAreRejectedOrAnObject() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] damaged = Mutation.of(Messages.usual(), random);
      try {
        assertThat(json(damaged)).startsWith("{");
        accepted++;
      } catch (InvalidExampleException e) {
        assertThat(e.getMessage())
            .as("seed %s, record %s", seed, i)
            .matches("not the Protobuf message net.Flow.*|.*beyond any calendar|Duplicate field.*");
      }
    }
    assertThat(accepted).as("seed %s", seed).isBetween(100, 10_000);
  }
}
