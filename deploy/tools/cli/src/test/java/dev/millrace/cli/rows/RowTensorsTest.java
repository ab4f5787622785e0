package dev.millrace.cli.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowTensorsTest {

  @TempDir private Path directory;

  /** More than a buffer has, so that all columns are written in pieces. */
  @Test
  void eachRowIsInItsPlace() throws IOException {
    int rows = 70_001;
    SavedTable table = RowBytes.table("users", 3, rows);
    TensorsOfRows read = written(table, rows);

    assertThat(read.rows()).isEqualTo(rows);
    assertThat(read.bytes()).isEqualTo(rows * (3 * Long.BYTES + 3 * Float.BYTES));
    assertThat(read.header().at("/values/dtype").asText()).isEqualTo("F32");
    assertThat(read.header().at("/__metadata__/table").asText()).isEqualTo("users");
    assertThat(read.header().at("/__metadata__/updater").asText()).isEqualTo("sgd");
    assertThat(read.header().at("/__metadata__/version").asText()).isEqualTo("1.2");
    for (int i = 0; i < rows; i++) {
      assertThat(read.integer("id", i)).isEqualTo(Long.MIN_VALUE + i);
      assertThat(read.integer("uses", i)).isEqualTo(i + 1);
      assertThat(read.integer("last_use", i)).isEqualTo(-i);
      assertThat(read.row(i)).containsExactly(i, i + 0.5f, -i);
    }
  }

  @Test
  void aTableMayHaveNoRows() throws IOException {
    TensorsOfRows read = written(RowBytes.table("users", 3, 0), 0);

    assertThat(read.rows()).isZero();
    assertThat(read.bytes()).isZero();
  }

  private TensorsOfRows written(SavedTable table, int rows) throws IOException {
    Path file = directory.resolve("users.safetensors");
    SavedRow row = new SavedRow(table);
    try (RowTensors tensors = new RowTensors(table, Map.of("version", "1.2"), file)) {
      for (int i = 0; i < rows; i++) {
        tensors.add(RowBytes.fill(row, Long.MIN_VALUE + i, i + 1, -i, i, i + 0.5f, -i));
      }
      tensors.finish();
    }
    return new TensorsOfRows(file);
  }
}
