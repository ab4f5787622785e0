package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.ModelVersion;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** Flink takes what a model returns for what is declared, without a look. */
class RowWriterTest {

  private static final ModelVersion VERSION = new ModelVersion(2, 15);

  @Test
  void aValueIsOfItsDeclaredType() {
    assertThat(field(OutputContent.VALUE, new FloatType(), 1.1f)).isEqualTo(1.1f);
    assertThat(field(OutputContent.VALUE, new DoubleType(), 1.1f)).isEqualTo((double) 1.1f);
  }

  @Test
  void aClassIsItsNameOrItsNumber() {
    assertThat(field(OutputContent.CLASS, VarCharType.STRING_TYPE, 0.2f, 0.5f, 0.3f))
        .isEqualTo(StringData.fromString("b"));
    assertThat(field(OutputContent.CLASS, new IntType(), 0.2f, 0.3f, 0.5f)).isEqualTo(2);
    assertThat(field(OutputContent.CLASS, new BigIntType(), 0.5f, 0.5f, 0)).isEqualTo(0L);
    assertThat(write(List.of(), OutputContent.CLASS, VarCharType.STRING_TYPE, 0, 1).getString(0))
        .isEqualTo(StringData.fromString("1"));
  }

  @Test
  void anOutputThatIsNoNumberIsNoClass() {
    assertThat(field(OutputContent.CLASS, new IntType(), Float.NaN, 0.1f, Float.NaN)).isEqualTo(1);
    assertThat(field(OutputContent.CLASS, new IntType(), Float.NaN, Float.NaN)).isNull();
  }

  /** The model's own outputs are overwritten by the next row. */
  @Test
  void arraysAreCopies() {
    float[] outputs = {1, 2};
    RowData row =
        writer(List.of(), OutputContent.VALUES, new ArrayType(new FloatType()))
            .write(outputs, VERSION);
    outputs[0] = 9;

    assertThat(row.getArray(0).toFloatArray()).containsExactly(1, 2);
    assertThat(
            write(List.of(), OutputContent.SCORES, new ArrayType(new DoubleType()), 0.5f, 0.25f)
                .getArray(0)
                .toDoubleArray())
        .containsExactly(0.5, 0.25);
  }

  @Test
  void aVersionIsThatOfTheRow() {
    RowWriter writer = writer(List.of(), OutputContent.VERSION, VarCharType.STRING_TYPE);

    assertThat(writer.write(new float[1], VERSION).getString(0)).hasToString("2.15");
    assertThat(writer.write(new float[1], new ModelVersion(2, 16)).getString(0))
        .hasToString("2.16");
    assertThat(writer.nothing().isNullAt(0)).isTrue();
  }

  private static Object field(OutputContent content, LogicalType type, float... outputs) {
    return write(List.of("a", "b", "c"), content, type, outputs).getField(0);
  }

  private static GenericRowData write(
      List<String> classes, OutputContent content, LogicalType type, float... outputs) {
    return (GenericRowData) writer(classes, content, type).write(outputs, VERSION);
  }

  private static RowWriter writer(List<String> classes, OutputContent content, LogicalType type) {
    return new RowWriter(List.of(new OutputColumn("o", type, content)), classes);
  }
}
