package dev.millrace.sql.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.sql.row.InputColumn;
import java.util.List;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.api.Test;

class ArrayMappingTest {

  @Test
  void aTruthIsOneOfTwoClasses() {
    assertThat(labels("BOOLEAN", true, Target.CLASSIFICATION, List.of())).containsExactly(0, 1);
    assertThat(labels("BOOLEAN", true, Target.CLASSIFICATION, List.of("true", "false")))
        .containsExactly(1, 0);
  }

  @Test
  void anArrayHasTheLabelOfEachClass() {
    GenericArrayData array = new GenericArrayData(new float[] {1, 0});

    assertThat(labels("ARRAY<FLOAT>", array, Target.CLASSIFICATION, List.of()))
        .containsExactly(1, 0);
    assertThat(labels("ARRAY<FLOAT>", array, Target.MULTI_LABEL, List.of())).containsExactly(1, 0);
  }

  private static float[] labels(String type, Object label, Target target, List<String> classes) {
    ExampleShape shape = new ExampleShape(1, 2, target);
    TableColumns columns =
        new TableColumns(
            List.of(column("features", "ARRAY<FLOAT>"), column("y", type)),
            List.of("y"),
            List.of(),
            null,
            null,
            null);
    ExampleAssembly assembly = new ExampleAssembly(shape, true);
    assembly.begin();
    new ArrayMapping(columns, shape, classes)
        .map(GenericRowData.of(new GenericArrayData(new float[] {3}), label), assembly);
    return ((Example) assembly.end(new Partition("t", 0), 0, 0)).labels();
  }

  private static InputColumn column(String name, String type) {
    return new InputColumn(
        name, LogicalTypeParser.parse(type, ArrayMappingTest.class.getClassLoader()));
  }
}
