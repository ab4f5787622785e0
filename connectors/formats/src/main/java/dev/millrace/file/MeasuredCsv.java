package dev.millrace.file;

import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Opens a CSV file for a model that is there already: its label columns are what the target asks
 * for, and rows that are no examples are left for the sequence to tell of.
 */
final class MeasuredCsv {

  private MeasuredCsv() {}

  /**
   * Reads the file once, to count its rows and, where they aren't given, know its classes.
   *
   * @param model whose target and outputs the labels are of; how many features there are, the file
   *     says
   * @param settings of its lines; without names of classes those of the file are taken for the
   *     numbers themselves if they are whole numbers from 0 on, and otherwise numbered in the order
   *     of their names
   * @throws InvalidRowException if classes are looked for and no row has one: what is wrong with
   *     the first
   */
  static ExampleSet open(Path file, long holdOut, ExampleShape model, FormatSettings settings)
      throws IOException {
    boolean classification = model.target() == Target.CLASSIFICATION;
    boolean find = classification && settings.classNames().isEmpty();
    Set<String> names = new HashSet<>();
    InvalidRowException firstInvalid = null;
    long rows = 0;
    int features;
    try (CsvTable table = CsvTable.open(file, classification ? 1 : model.outputs(), settings)) {
      features = table.features();
      boolean more = true;
      while (more) {
        try {
          more = find ? nextClass(table, names, model) : table.skip();
        } catch (InvalidRowException e) {
          // The sequence comes to this row again, and its reader counts it.
          firstInvalid = firstInvalid == null ? e : firstInvalid;
        }
        rows += more ? 1 : 0;
      }
    }
    if (names.isEmpty() && firstInvalid != null) {
      throw firstInvalid;
    }
    if (holdOut > rows) {
      throw new IOException(
          "%s: holdout=%s asks for more than the %s rows of the file"
              .formatted(file, holdOut, rows));
    }
    List<String> known = classification ? settings.classNames() : List.of();
    if (find) {
      known = namesAreNumbers(names, model) ? numbers(model) : CsvExamples.sorted(names);
    }
    if (find && known.size() != model.outputs()) {
      throw new IOException(
          ("%s has %s classes in its label column, %s, and the model %s; name the model's classes"
                  + " in the order of their numbers, as the input's classes")
              .formatted(file, known.size(), known, model.outputs()));
    }
    return CsvExamples.of(
        file,
        new ExampleShape(features, model.outputs(), model.target()),
        settings,
        known,
        rows,
        holdOut);
  }

  /** Whether they can't be but the numbers themselves, also where a file lacks some: 0 is there. */
  private static boolean namesAreNumbers(Set<String> names, ExampleShape model) {
    return names.contains("0") && numbers(model).containsAll(names);
  }

  private static List<String> numbers(ExampleShape model) {
    return IntStream.range(0, model.outputs()).mapToObj(Integer::toString).toList();
  }

  private static boolean nextClass(CsvTable table, Set<String> names, ExampleShape model)
      throws IOException {
    if (!table.next()) {
      return false;
    }
    if (names.add(table.className()) && names.size() > CsvExamples.MOST_CLASSES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: more than %,d classes in the label column, and the model has %s",
              table.file(),
              CsvExamples.MOST_CLASSES,
              model.outputs()));
    }
    return true;
  }
}
