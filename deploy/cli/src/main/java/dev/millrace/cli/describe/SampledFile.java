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
   * Samples a table. Its first line is taken for a header if its cells are different words. One of
   * them may be empty or a number, as of an index, where a word stands above a number.
   *
   * @param most rows
   * @throws IOException if it can't be read, or has another separator
   */
  public static SampledFile table(Path file, char separator, long most) throws IOException {
    Sample sample = new Sample();
    boolean header = hasHeader(file, separator);
    try (NamedTable table = NamedTable.open(file, separator, cells -> header)) {
      List<String> columns =
          header
              ? table.header().stream().map(Sample::path).toList()
              : Sample.places(table.columns());
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

  /** The columns that have a name. */
  public List<String> names() {
    return header.stream().filter(name -> !name.isEmpty()).toList();
  }

  /** The label's column. */
  public String label(boolean labelFirst) {
    List<FieldProfile> fields = sample.fields();
    return fields.get(labelFirst ? 0 : fields.size() - 1).path();
  }

  private static boolean hasHeader(Path file, char separator) throws IOException {
    try (NamedTable table = NamedTable.open(file, separator, cells -> false)) {
      table.next();
      List<String> first = cells(table);
      requireSeparator(file, first);
      return isHeader(first, table.next() ? cells(table) : List.of());
    }
  }

  private static List<String> cells(NamedTable table) {
    return IntStream.range(0, table.columns()).mapToObj(table::cell).toList();
  }

  /** A table of one column has nothing to learn from. */
  private static void requireSeparator(Path file, List<String> first) throws IOException {
    if (first.size() > 1) {
      return;
    }
    for (String other : List.of(";", "\t", "|", ",")) {
      if (first.get(0).contains(other)) {
        throw new IOException(
            "%s has one column, and \"%s\" in it; give the separator, --input.csv.separator '%s'"
                .formatted(file, shown(other), shown(other)));
      }
    }
  }

  private static String shown(String separator) {
    return separator.equals("\t") ? "\\t" : separator;
  }

  private static boolean isHeader(List<String> first, List<String> second) {
    long nameless = first.stream().filter(cell -> !isWord(cell)).count();
    boolean above =
        IntStream.range(0, second.size())
            .anyMatch(i -> isWord(first.get(i)) && FieldProfile.isNumber(second.get(i)));
    return (nameless == 0 || (nameless == 1 && above))
        && new HashSet<>(first).size() == first.size();
  }

  private static boolean isWord(String cell) {
    return !cell.isEmpty() && !FieldProfile.isNumber(cell);
  }
}
