package dev.millrace.file;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Opens a CSV file for a model that is there already: the last columns are what its target asks
 * for, and rows that are no examples are left for the sequence to tell of.
 */
final class MeasuredCsv {

  private MeasuredCsv() {}

  /**
   * Reads the file once, to count its rows and, where they aren't given, know its classes.
   *
   * @param model whose target and outputs the labels are of; how many features there are, the file
   *     says
   * @param classes in the order of their numbers; empty to number those of the file in the order of
   *     their names
   */
  static ExampleSet open(Path file, long holdOut, ExampleShape model, List<String> classes)
      throws IOException {
    boolean classification = model.target() == Target.CLASSIFICATION;
    boolean find = classification && classes.isEmpty();
    Set<String> names = new HashSet<>();
    long rows = 0;
    int features;
    try (CsvTable table = CsvTable.open(file, classification ? 1 : model.outputs())) {
      features = table.features();
      while (find ? nextClass(table, names, model) : table.skip()) {
        rows++;
      }
    }
    if (holdOut > rows) {
      throw new IOException(
          "%s: holdout=%d asks for more than the %d rows of the file"
              .formatted(file, holdOut, rows));
    }
    if (find && names.size() != model.outputs()) {
      throw new IOException(
          ("%s has %d classes in its last column, %s, and the model %d; name the model's classes,"
                  + " in the order of their numbers, in input.csv.classes")
              .formatted(file, names.size(), CsvExamples.sorted(names), model.outputs()));
    }
    return CsvExamples.of(
        file,
        new ExampleShape(features, model.outputs(), model.target()),
        find ? CsvExamples.sorted(names) : classification ? classes : List.of(),
        rows,
        holdOut);
  }

  private static boolean nextClass(CsvTable table, Set<String> names, ExampleShape model)
      throws IOException {
    try {
      if (!table.next()) {
        return false;
      }
      if (names.add(table.className()) && names.size() > CsvExamples.MOST_CLASSES) {
        throw new IOException(
            "%s: more than %,d classes in the last column, and the model has %d"
                .formatted(table.file(), CsvExamples.MOST_CLASSES, model.outputs()));
      }
    } catch (InvalidRowException e) {
      // The sequence comes to this row again, and its reader counts it.
    }
    return true;
  }
}
