package dev.millrace.cli.describe;

import dev.millrace.file.NamedTable;
import dev.millrace.file.RecordTexts;
import dev.millrace.file.TableHead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A sample of a file.
 *
 * @param columns names of all columns of a table; empty where it has none, or is no table
 * @param remarks on columns, by their paths
 */
public record SampledFile(Sample sample, List<String> columns, Map<String, String> remarks) {

  /** What is said of a column that has no name. */
  static final String NAMELESS = "a column without a name";

  private static final Pattern LIBSVM =
      Pattern.compile("\\S+( \\S+:\\S+)*( +\\d+:[-+.0-9eE]+)+\\s*(#.*)?");

  /**
   * Samples a table. A row of other cells than the first line has ends it.
   *
   * @param given names of the columns; empty where a header may have them
   * @param most rows
   * @throws IOException if it can't be read, has another separator, or has rows of different
   *     lengths
   */
  public static SampledFile table(
      Path file, char separator, List<String> given, Sample sample, long most) throws IOException {
    TableHead head = TableHead.of(file, separator);
    refuseOtherForms(file, head);
    boolean header = given.isEmpty() ? head.requireNames() : namesThem(head, given);
    try (NamedTable table = NamedTable.open(file, separator, first -> header)) {
      List<String> names = header ? table.header() : given;
      if (!names.isEmpty() && names.size() != table.columns()) {
        throw new IOException(
            "%s has %s columns, and input.csv.columns names %s"
                .formatted(file, table.columns(), names.size()));
      }
      List<String> paths =
          names.isEmpty()
              ? Sample.places(table.columns())
              : names.stream().map(Sample::path).toList();
      List<String> cells = new ArrayList<>();
      while (sample.rows() < most && table.next()) {
        table.requireAllCells();
        cells.clear();
        for (int i = 0; i < paths.size(); i++) {
          cells.add(table.cell(i));
        }
        sample.row(paths, cells);
      }
      return new SampledFile(sample, names, header ? remarks(head, paths) : Map.of());
    }
  }

  private static boolean namesThem(TableHead head, List<String> given) throws IOException {
    boolean all = new HashSet<>(head.names()).containsAll(given);
    if (!all && head.kind() == TableHead.Kind.NAMES) {
      throw new IOException(
          "input.csv.columns is '%s', and the header has %s; they must agree, or leave the option out"
              .formatted(String.join(", ", given), String.join(", ", head.names())));
    }
    return all;
  }

  private static Map<String, String> remarks(TableHead head, List<String> paths) {
    Map<String, String> remarks = new TreeMap<>();
    Set<Integer> repeated = head.repeated();
    for (int i = 0; i < paths.size(); i++) {
      if (head.isNameless(i)) {
        remarks.put(paths.get(i), NAMELESS);
      } else if (repeated.contains(i)) {
        remarks.put(
            paths.get(i),
            "the header has %s twice, so this column got a name of its own"
                .formatted(Yaml.shown(head.cells().get(i))));
      }
    }
    return remarks;
  }

  /**
   * Samples a file of JSON objects.
   *
   * @param most records
   * @throws IOException if the file can't be read
   */
  public static SampledFile json(Path file, Sample sample, long most) throws IOException {
    try (RecordTexts records = RecordTexts.open(file)) {
      while (sample.rows() + sample.unreadable() < most && records.next()) {
        sample.json(records.record(), "line " + records.line());
      }
    }
    return new SampledFile(sample, List.of(), Map.of());
  }

  /**
   * Whether the features of a table are more than numbers: some column has mostly words, or words
   * for missing values, or decimal commas.
   *
   * @param labelFirst whether the label is the first column; otherwise it is the last
   */
  public boolean hasWords(boolean labelFirst) {
    List<FieldProfile> fields = sample.fields();
    String label = label(labelFirst);
    return sample.texts().decimal() != '.'
        || fields.stream()
            .filter(field -> !field.path().equals(label))
            .anyMatch(field -> 2 * field.numbers() < field.present());
  }

  /** The label's column. */
  public String label(boolean labelFirst) {
    List<FieldProfile> fields = sample.fields();
    return fields.get(labelFirst ? 0 : fields.size() - 1).path();
  }

  private static void refuseOtherForms(Path file, TableHead head) throws IOException {
    List<String> first = head.cells();
    if (LIBSVM.matcher(String.join(" ", first)).matches()) {
      throw new IOException(
          "%s, line %s: it is libsvm, places and numbers such as 3:0.5, which has no columns; write it"
                  .formatted(file, head.line())
              + " as csv, or as JSON objects");
    }
    // A table of one column has nothing to learn from.
    if (first.size() == 1) {
      for (String other : List.of(";", "\t", "|", ",")) {
        if (first.get(0).contains(other)) {
          throw new IOException(
              "%s has one column, and \"%s\" in it; give the separator, --input.csv.separator '%s'"
                  .formatted(file, shown(other), shown(other)));
        }
      }
    }
  }

  private static String shown(String separator) {
    return separator.equals("\t") ? "\\t" : separator;
  }
}
