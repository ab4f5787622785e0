package dev.millrace.cli.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.file.ExampleLines;
import dev.millrace.file.NamedTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A sample of a file.
 *
 * @param header names of the columns of a table; empty where it has none, or is no table
 */
public record SampledFile(Sample sample, List<String> header) {

  /**
   * Samples a table. Its first line is taken for a header if its cells are different words.
   *
   * @param most rows
   * @throws IOException if it can't be read
   */
  public static SampledFile table(Path file, char separator, long most) throws IOException {
    Sample sample = new Sample();
    try (NamedTable table = NamedTable.open(file, separator, SampledFile::isHeader)) {
      List<String> columns =
          table.header().isEmpty()
              ? IntStream.range(0, table.columns()).mapToObj("[%d]"::formatted).toList()
              : table.header().stream().map(Sample::path).toList();
      List<String> cells = new ArrayList<>();
      while (sample.rows() < most && table.next()) {
        cells.clear();
        for (int i = 0; i < columns.size(); i++) {
          cells.add(table.cell(i));
        }
        sample.row(columns, cells);
      }
      return new SampledFile(sample, table.header());
    }
  }

  /**
   * Samples lines of JSON objects.
   *
   * @param most lines
   * @throws IOException if the file can't be read
   */
  public static SampledFile json(Path file, long most) throws IOException {
    Sample sample = new Sample();
    try (BufferedReader reader = ExampleLines.text(file)) {
      String line = reader.readLine();
      while (line != null && sample.rows() + sample.unreadable() < most) {
        if (!line.isBlank()) {
          sample.json(line.getBytes(UTF_8));
        }
        line = reader.readLine();
      }
    }
    return new SampledFile(sample, List.of());
  }

  /**
   * Whether the features of a table are more than numbers: some column has mostly words.
   *
   * @param labelFirst whether the label is the first column; otherwise it is the last
   */
  public boolean hasWords(boolean labelFirst) {
    List<FieldProfile> fields = sample.fields();
    String label = label(labelFirst);
    return fields.stream()
        .filter(field -> !field.path().equals(label))
        .anyMatch(field -> 2 * field.numbers() < field.present());
  }

  /** The label's column. */
  public String label(boolean labelFirst) {
    List<FieldProfile> fields = sample.fields();
    return fields.get(labelFirst ? 0 : fields.size() - 1).path();
  }

  private static boolean isHeader(List<String> cells) {
    return cells.stream().noneMatch(cell -> cell.isEmpty() || FieldProfile.isNumber(cell))
        && new HashSet<>(cells).size() == cells.size();
  }
}
