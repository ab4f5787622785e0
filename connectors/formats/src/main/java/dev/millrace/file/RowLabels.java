package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the label columns of a table say of an example. */
interface RowLabels {

  /**
   * Fills in the labels of the row that the table stands at.
   *
   * @throws InvalidRowException if they are none
   */
  void read(CsvTable table, Example into) throws IOException;

  /** One column with the name of a class. */
  static RowLabels classes(List<String> names) {
    Map<String, Integer> numbers = new HashMap<>();
    names.forEach(name -> numbers.put(name, numbers.size()));
    return (table, into) -> {
      Integer number = numbers.get(table.className());
      if (number == null) {
        throw table.invalid(table.firstLabel(), "one of the classes " + names);
      }
      into.setClass(number);
    };
  }

  /** A column of numbers for each output. */
  static RowLabels numbers(ExampleShape shape) {
    boolean shares = shape.target() == Target.MULTI_LABEL;
    return (table, into) -> {
      float[] labels = into.labels();
      table.labels(labels);
      for (int i = 0; shares && i < labels.length; i++) {
        if (!(labels[i] >= 0 && labels[i] <= 1)) {
          throw table.invalid(table.firstLabel() + i, "a number from 0 to 1");
        }
      }
    };
  }
}
