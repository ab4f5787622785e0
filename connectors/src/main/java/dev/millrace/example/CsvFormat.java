package dev.millrace.example;

import ch.randelshofer.fastdoubleparser.JavaFloatParser;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * One line of columns. Labels are the last columns, or the first: one for classification, as many
 * as outputs otherwise. Numbers are parsed from the bytes as they are.
 */
final class CsvFormat implements ExampleFormat {

  private static final int SHOWN = 40;

  private final ExampleShape shape;
  private final FormatSettings settings;
  private final Map<String, Integer> classes = new HashMap<>();
  private final int labelColumns;
  private final int columns;

  CsvFormat(ExampleShape shape, FormatSettings settings) {
    this.shape = shape;
    this.settings = settings;
    for (String name : settings.classNames()) {
      classes.put(name, classes.size());
    }
    this.labelColumns = shape.target() == Target.CLASSIFICATION ? 1 : shape.outputs();
    this.columns = shape.features() + labelColumns;
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    int end = endOfLine(value);
    int column = 0;
    int from = 0;
    while (true) {
      int to = endOfColumn(value, from, end);
      if (column < columns) {
        readColumn(value, from, to, column, into);
      }
      column++;
      if (to == end) {
        break;
      }
      from = to + 1;
    }
    if (column != columns) {
      throw new InvalidExampleException(
          "%d columns expected (%d features, %d labels), %d found"
              .formatted(columns, shape.features(), labelColumns, column));
    }
    Checks.features(into);
    Checks.labels(into);
  }

  private static int endOfLine(byte[] value) {
    int end = value.length;
    if (end > 0 && value[end - 1] == '\n') {
      end--;
    }
    if (end > 0 && value[end - 1] == '\r') {
      end--;
    }
    return end;
  }

  private int endOfColumn(byte[] value, int from, int end) throws InvalidExampleException {
    boolean quoted = false;
    for (int i = from; i < end; i++) {
      byte at = value[i];
      if (at == '"') {
        quoted = !quoted;
      } else if (at == '\n' && !quoted) {
        throw new InvalidExampleException("more than one line");
      } else if (at == (byte) settings.separator() && !quoted) {
        return i;
      }
    }
    if (quoted) {
      throw new InvalidExampleException("a quote is never closed");
    }
    return end;
  }

  private void readColumn(byte[] value, int start, int stop, int column, Example into)
      throws InvalidExampleException {
    int from = start;
    int to = stop;
    if (to - from >= 2 && value[from] == '"' && value[to - 1] == '"') {
      from++;
      to--;
    }
    int firstLabel = settings.labelFirst() ? 0 : shape.features();
    int label = column - firstLabel;
    if (label >= 0 && label < labelColumns) {
      readLabel(value, from, to, label, column, into);
    } else {
      int feature = settings.labelFirst() ? column - labelColumns : column;
      into.features()[feature] = number(value, from, to, column);
    }
  }

  private void readLabel(byte[] value, int from, int to, int label, int column, Example into)
      throws InvalidExampleException {
    if (shape.target() != Target.CLASSIFICATION) {
      into.labels()[label] = number(value, from, to, column);
    } else if (!classes.isEmpty()) {
      String name = text(value, from, to);
      Integer named = classes.get(name);
      if (named == null) {
        throw new InvalidExampleException(
            "class '%s' is none of %s".formatted(shown(name), settings.classNames()));
      }
      into.setClass(named);
    } else {
      float number = number(value, from, to, column);
      if (number != (long) number) {
        throw new InvalidExampleException(
            "column %d is '%s', not a class number".formatted(column, text(value, from, to)));
      }
      Checks.setClass(into, (long) number);
    }
  }

  private static float number(byte[] value, int from, int to, int column)
      throws InvalidExampleException {
    try {
      float number = JavaFloatParser.parseFloat(value, from, to - from);
      if (Float.isInfinite(number) || Float.isNaN(number)) {
        throw new InvalidExampleException(
            "column %d is '%s', not a finite number"
                .formatted(column, shown(text(value, from, to))));
      }
      return number;
    } catch (NumberFormatException e) {
      throw new InvalidExampleException(
          "column %d is '%s', not a number".formatted(column, shown(text(value, from, to))));
    }
  }

  private static String text(byte[] value, int from, int to) {
    return new String(value, from, to - from, StandardCharsets.UTF_8).strip();
  }

  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  @Override
  public byte[] write(Example example) {
    StringBuilder line = new StringBuilder();
    if (settings.labelFirst()) {
      writeLabels(example, line);
    }
    for (float feature : example.features()) {
      column(line).append(feature);
    }
    if (!settings.labelFirst()) {
      writeLabels(example, line);
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void writeLabels(Example example, StringBuilder line) {
    if (shape.target() != Target.CLASSIFICATION) {
      for (float label : example.labels()) {
        column(line).append(label);
      }
    } else {
      int label = Checks.classOf(example);
      column(line)
          .append(
              classes.isEmpty() ? String.valueOf(label) : quoted(settings.classNames().get(label)));
    }
  }

  private StringBuilder column(StringBuilder line) {
    return line.isEmpty() ? line : line.append(settings.separator());
  }

  private String quoted(String name) {
    return name.indexOf(settings.separator()) >= 0 ? '"' + name + '"' : name;
  }
}
