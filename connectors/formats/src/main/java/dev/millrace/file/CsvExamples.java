package dev.millrace.file;

import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A CSV file whose classes are numbered as is said, or in the order of their names: by value if all
 * of them are numbers, so that classes 1 to 7 become 0 to 6, by letters otherwise. Classes are told
 * apart by their text.
 */
final class CsvExamples implements ExampleSet {

  /** More distinct values than this are no classes, and would not fit into memory in the end. */
  static final int MOST_CLASSES = 10_000;

  private final Path file;
  private final ExampleShape shape;
  private final FormatSettings layout;
  private final List<String> classes;
  private final RowLabels labels;
  private final long rows;
  private final long holdOut;

  private CsvExamples(
      Path file,
      ExampleShape shape,
      FormatSettings layout,
      List<String> classes,
      long rows,
      long holdOut) {
    this.file = file;
    this.shape = shape;
    this.layout = layout;
    this.classes = classes;
    this.labels =
        shape.target() == Target.CLASSIFICATION
            ? RowLabels.classes(classes)
            : RowLabels.numbers(shape);
    this.rows = rows;
    this.holdOut = holdOut;
  }

  /**
   * Reads the file once, to count its rows and know its classes.
   *
   * @param settings of its rows; where they name classes, the file may lack some but has no others
   */
  static CsvExamples open(Path file, long holdOut, FormatSettings settings) throws IOException {
    List<String> given = settings.classNames();
    try (CsvTable table = CsvTable.open(file, 1, settings)) {
      Set<String> names = new HashSet<>();
      long rows = 0;
      while (table.next()) {
        rows++;
        if (names.add(table.className())) {
          requireClass(table, names.size(), given);
        }
      }
      if (names.size() < 2) {
        throw new IOException(
            "%s: expected at least two classes in the label column, got %s in %s rows"
                .formatted(file, names, rows));
      }
      if (holdOut >= rows) {
        throw new IOException(
            "%s: holdout=%s leaves nothing to learn from, the file has %s rows"
                .formatted(file, holdOut, rows));
      }
      List<String> classes = given.isEmpty() ? sorted(names) : given;
      return new CsvExamples(
          file,
          new ExampleShape(table.features(), classes.size(), Target.CLASSIFICATION),
          settings,
          classes,
          rows,
          holdOut);
    }
  }

  private static void requireClass(CsvTable table, int found, List<String> given)
      throws IOException {
    if (!given.isEmpty() && !given.contains(table.className())) {
      throw table.invalid(table.firstLabel(), "one of the classes " + given);
    }
    if (found > MOST_CLASSES) {
      throw table.invalid(
          table.firstLabel(),
          String.format(Locale.ROOT, "at most %,d classes in the label column", MOST_CLASSES));
    }
  }

  /**
   * Examples of another kind, or whose classes are known otherwise, from a file of so many rows.
   */
  static CsvExamples of(
      Path file,
      ExampleShape shape,
      FormatSettings layout,
      List<String> classes,
      long rows,
      long holdOut) {
    return new CsvExamples(file, shape, layout, classes, rows, holdOut);
  }

  static List<String> sorted(Set<String> names) {
    List<String> sorted = new ArrayList<>(names);
    Comparator<String> byText = Comparator.naturalOrder();
    sorted.sort(
        names.stream().allMatch(CsvTable::isNumber)
            ? Comparator.comparingDouble(Double::parseDouble).thenComparing(byText)
            : byText);
    return List.copyOf(sorted);
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  @Override
  public Optional<ImageSize> image() {
    return Optional.empty();
  }

  @Override
  public ExampleSequence training() throws IOException {
    return CsvSequence.open(file, shape, layout, labels, 0, rows - holdOut);
  }

  @Override
  public ExampleSequence holdOut() throws IOException {
    return CsvSequence.open(file, shape, layout, labels, rows - holdOut, holdOut);
  }
}
