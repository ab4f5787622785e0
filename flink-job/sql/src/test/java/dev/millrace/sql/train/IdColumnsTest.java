package dev.millrace.sql.train;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.IdHash;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.sql.row.InputColumn;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A column's value names the row that the same value names in a record of any format. */
class IdColumnsTest {

  private static final long HELLO = -1532057335401747185L;

  private static final FieldsDescription ONE =
      fields("{\"path\":\"x\",\"kind\":\"id\",\"table\":\"users\",\"dimension\":2}");
  private static final FieldsDescription LIST =
      fields(
          "{\"path\":\"x\",\"kind\":\"ids\",\"table\":\"users\",\"dimension\":2,\"most\":3,"
              + "\"separator\":\"|\"}");

  private static FieldsDescription fields(String field) {
    return FieldsDescription.parse(
        "[%s,{\"path\":\"y\",\"role\":\"label\"}]".formatted(field), null);
  }

  private static LogicalType type(String text) {
    return LogicalTypeParser.parse(text, IdColumnsTest.class.getClassLoader());
  }

  /** Maps a row as an object, and as a query has it. */
  private static Received map(FieldsDescription fields, String type, Object value) {
    ExampleShape shape = fields.shape(Target.REGRESSION, 1);
    FieldsMapping mapping = mapping(fields, type);
    TypeSerializer<RowData> serializer = new RowDataSerializer(type(type), type("DOUBLE"));
    GenericRowData row = GenericRowData.of(value, 1.0);
    Received first = map(mapping, shape, row);
    Received second = map(mapping, shape, ((RowDataSerializer) serializer).toBinaryRow(row));
    if (first instanceof Example one) {
      assertThat(ids((Example) second)).isEqualTo(ids(one));
    }
    return second;
  }

  private static FieldsMapping mapping(FieldsDescription fields, String type) {
    return new FieldsMapping(
        List.of(new InputColumn("x", type(type)), new InputColumn("y", type("DOUBLE"))),
        RecordFeatures.labelled(fields, fields.shape(Target.REGRESSION, 1), List.of()));
  }

  private static Received map(FieldsMapping mapping, ExampleShape shape, RowData row) {
    ExampleAssembly assembly = new ExampleAssembly(shape, true);
    assembly.begin();
    mapping.map(row, assembly);
    return assembly.end(new Partition("t", 0), 0, 0);
  }

  private static long[] ids(Example example) {
    return Arrays.copyOf(example.ids().ids(), example.ids().size());
  }

  private static long[] ids(FieldsDescription fields, String type, Object value) {
    return ids((Example) map(fields, type, value));
  }

  private static long[] hashes(String... words) {
    return Arrays.stream(words).mapToLong(word -> IdHash.of("users", word)).toArray();
  }

  private static StringData text(String text) {
    return StringData.fromString(text);
  }

  @Test
  void eachTypeOfAValueIsItsWord() {
    assertThat(ids(ONE, "STRING", text("hello"))).containsExactly(HELLO);
    assertThat(ids(ONE, "VARCHAR(9) NOT NULL", text("hello"))).containsExactly(HELLO);
    assertThat(ids(ONE, "STRING", text("Zoë 本"))).isEqualTo(hashes("Zoë 本"));
    assertThat(ids(ONE, "STRING", null)).isEmpty();
    assertThat(ids(ONE, "TINYINT", (byte) 5)).isEqualTo(hashes("5"));
    assertThat(ids(ONE, "INT", -5)).isEqualTo(hashes("-5"));
    assertThat(ids(ONE, "BIGINT", Long.MIN_VALUE)).isEqualTo(hashes("-9223372036854775808"));
    assertThat(ids(ONE, "DOUBLE", 5.0)).isEqualTo(hashes("5"));
    assertThat(ids(ONE, "FLOAT", 0.5f)).isEqualTo(hashes("0.5"));
    assertThat(ids(ONE, "DECIMAL(10, 2)", decimal("5.00", 10, 2))).isEqualTo(hashes("5"));
    assertThat(ids(ONE, "DECIMAL(20, 0)", decimal("18446744073709551615", 20, 0)))
        .isEqualTo(hashes("18446744073709551615"));
    assertThat(ids(ONE, "BOOLEAN", true)).isEqualTo(hashes("true"));
    assertThat(ids(ONE, "DATE", 1)).isEqualTo(hashes("1970-01-02"));
    assertThat(ids(ONE, "TIMESTAMP(3)", TimestampData.fromInstant(Instant.ofEpochMilli(1_500))))
        .isEqualTo(hashes("1970-01-01T00:00:01.500Z"));
  }

  private static DecimalData decimal(String text, int precision, int scale) {
    return DecimalData.fromBigDecimal(new BigDecimal(text), precision, scale);
  }

  @Test
  void elementsOfAnArrayAreAList() {
    assertThat(ids(LIST, "ARRAY<STRING>", array(text("hello"), null, text("7"))))
        .containsExactly(HELLO, IdHash.of("users", "7"));
    assertThat(ids(LIST, "ARRAY<BIGINT>", array(7L, null, -1L))).isEqualTo(hashes("7", "-1"));
    assertThat(ids(LIST, "ARRAY<INT NOT NULL>", new GenericArrayData(new int[] {7, 7})))
        .isEqualTo(hashes("7", "7"));
    assertThat(ids(LIST, "ARRAY<DATE>", array(1))).isEqualTo(hashes("1970-01-02"));
    assertThat(ids(LIST, "ARRAY<BOOLEAN>", array(false))).isEqualTo(hashes("false"));
    assertThat(ids(LIST, "ARRAY<DOUBLE>", array(0.25, 2.0))).isEqualTo(hashes("0.25", "2"));
    assertThat(ids(LIST, "ARRAY<DECIMAL(4, 1)>", array(decimal("2.0", 4, 1))))
        .isEqualTo(hashes("2"));
    assertThat(ids(LIST, "ARRAY<STRING>", array())).isEmpty();
    assertThat(ids(LIST, "ARRAY<STRING>", null)).isEmpty();
    assertThat(ids(LIST, "STRING", text("hello| 7.0|"))).isEqualTo(hashes("hello", "7"));
    assertThat(ids(LIST, "BIGINT", 7L)).isEqualTo(hashes("7"));
  }

  private static GenericArrayData array(Object... elements) {
    return new GenericArrayData(elements);
  }

  @Test
  void whatIsNoIdRejectsTheRow() {
    assertThat(reason(map(LIST, "ARRAY<INT>", array(1, 2, 3, 4))))
        .isEqualTo("field \"x\": at most 3 ids expected, 4 found; the key most allows more");
    assertThat(reason(map(LIST, "ARRAY<DOUBLE>", array(1.0, Double.NaN))))
        .isEqualTo("element 1, field \"x\": a finite number expected, NaN found");
    assertThat(reason(map(ONE, "FLOAT", Float.POSITIVE_INFINITY)))
        .isEqualTo("field \"x\": a finite number expected, Infinity found");
  }

  private static String reason(Received received) {
    return ((RejectedRecord) received).reason();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id | ARRAY<STRING> | Column 'x' has type ARRAY<STRING>, and its field takes one value; make the"
            + " field a list, of the kind ids, or declare the column STRING",
        "id | BYTES | Column 'x' has type BYTES, which no field takes; declare a number, STRING, BOOLEAN or"
            + " a time",
        "ids | MAP<STRING, INT> | Column 'x' has type MAP<STRING, INT>, which no field takes; declare a"
            + " number, STRING, BOOLEAN or a time",
        "ids | ARRAY<ARRAY<INT>> | Column 'x' has type ARRAY<ARRAY<INT>>, whose elements are no ids; declare"
            + " it ARRAY<STRING> or ARRAY<BIGINT>",
      })
  void saysWhichTypesAreNone(String kind, String type, String message) {
    assertThatThrownBy(() -> mapping(kind.equals("id") ? ONE : LIST, type))
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(message);
  }

  @Test
  void deadLettersHaveArrays() throws Exception {
    RowDataSerializer serializer =
        new RowDataSerializer(type("ARRAY<STRING>"), type("ARRAY<FLOAT>"));
    DataOutputSerializer bytes = new DataOutputSerializer(64);
    serializer.serialize(
        GenericRowData.of(array(text("a"), null), new GenericArrayData(new float[] {0.1f})), bytes);

    RowText text =
        new RowText(
            serializer,
            List.of(
                new InputColumn("x", type("ARRAY<STRING>")),
                new InputColumn("f", type("ARRAY<FLOAT>"))));

    assertThat(new String(text.map(bytes.getCopyOfBuffer()), UTF_8))
        .isEqualTo("{\"x\":[\"a\",null],\"f\":[0.1]}");
  }
}
