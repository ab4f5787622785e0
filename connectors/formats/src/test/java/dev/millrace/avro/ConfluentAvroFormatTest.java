package dev.millrace.avro;

import static dev.millrace.avro.Flows.bytes;
import static dev.millrace.avro.Flows.flow;
import static dev.millrace.avro.Flows.plan;
import static dev.millrace.avro.Flows.schema;
import static dev.millrace.avro.Flows.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.UnavailableException;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import dev.millrace.registry.testing.SchemaServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConfluentAvroFormatTest {

  private static final FieldPlan PLAN = plan("duration", "protocol");

  private final FieldValues values = new FieldValues(PLAN);
  private SchemaServer server;
  private RecordFormat format;

  @BeforeEach
  void start() throws IOException {
    server = SchemaServer.start();
    format = RecordFormats.named("avro-confluent", PLAN, Map.of("registry.url", server.url()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void followsTheWritersSchema() throws Exception {
    Schema first =
        schema(
            "{\"name\":\"duration\",\"type\":\"int\"},{\"name\":\"protocol\",\"type\":\"string\"}");
    Schema wider =
        schema(
            """
            {"name":"added","type":"string"},
            {"name":"protocol","type":["null","string"]},
            {"name":"duration","type":"double"}
            """);
    Schema removed = schema("{\"name\":\"protocol\",\"type\":\"string\"}");
    Schema renamed =
        schema(
            """
            {"name":"seconds","type":"double","aliases":["duration"]},
            {"name":"protocol","type":"string"}
            """);
    server.put(1, first.toString());
    server.put(2, wider.toString());
    server.put(3, removed.toString());
    server.put(4, renamed.toString());

    byte[] old = value(1, bytes(first, flow(first, "duration", 7, "protocol", "tcp")));
    assertThat(read(old)).containsExactly("long 7", "text tcp");
    assertThat(
            read(
                value(
                    2, bytes(wider, flow(wider, "added", "?", "protocol", null, "duration", 7.5)))))
        .containsExactly("double 7.5", "missing");
    assertThat(read(value(3, bytes(removed, flow(removed, "protocol", "udp")))))
        .containsExactly("missing", "text udp");
    assertThat(read(value(4, bytes(renamed, flow(renamed, "seconds", 1.0, "protocol", "udp")))))
        .containsExactly("long 1", "text udp");
    assertThat(read(old))
        .as("writers with the old schema go on")
        .containsExactly("long 7", "text tcp");
  }

  @Test
  void readsASchemaWithWhatItRefersTo() throws Exception {
    server.putSubject(
        "time",
        "{\"type\":\"record\",\"name\":\"net.Time\",\"fields\":[{\"name\":\"s\",\"type\":\"int\"}]}");
    server.put(
        1,
        """
        {"type":"record","name":"net.Flow","fields":[{"name":"begun","type":"Time"},
        {"name":"duration","type":"int"},{"name":"protocol","type":["null","string"]}]}
        """,
        "time");

    assertThat(read(value(1, new byte[] {2, 14, 2, 6, 't', 'c', 'p'})))
        .containsExactly("long 7", "text tcp");
  }

  @Test
  void whatTheSchemaDoesNotAllowIsRejected() {
    server.put(1, schema("{\"name\":\"duration\",\"type\":\"double\"}").toString());
    server.put(2, "no schema");

    assertRejected(value(1, new byte[7]), "not Avro of the writer's schema at byte");
    assertRejected(value(2, new byte[8]), "schema 2 can't be used: no Avro schema");
    assertRejected(value(3, new byte[8]), "schema 3 can't be used: the registry has no schema 3");
    assertRejected(new byte[4], "a header of 5 bytes with the schema's id expected, 4 bytes found");
    assertRejected("{\"duration\":1}".getBytes(UTF_8), "byte 0");
  }

  private void assertRejected(byte[] value, String reason) {
    assertThatThrownBy(() -> read(value))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aRecordIsNotRejectedForARegistryThatIsDown() {
    server.fail(503);
    byte[] value = value(1, new byte[8]);

    assertThatThrownBy(() -> read(value)).isInstanceOf(UnavailableException.class);
    assertThat(format.prerequisites().of(value).join()).isPresent();
    assertThat(format.prerequisites().of(null).join()).isEmpty();
    assertThat(format.prerequisites().of(new byte[2]).join()).as("it can be rejected").isEmpty();

    server.fail(0);
    server.put(1, schema("{\"name\":\"duration\",\"type\":\"double\"}").toString());
    assertThat(format.prerequisites().of(value).join()).isEmpty();
  }

  private List<String> read(byte[] value) throws InvalidExampleException {
    values.clear();
    format.read(value, values);
    return told(values, 2);
  }

  private static byte[] value(int schema, byte[] record) {
    return ByteBuffer.allocate(5 + record.length).put((byte) 0).putInt(schema).put(record).array();
  }
}
