package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import ch.randelshofer.fastdoubleparser.JavaFloatParser;
import dev.millrace.model.shape.ExampleShape;

/**
 * The format {@code csv}: one line of features and labels. A class is one column, a number from 0
 * or a name; other targets have a column for each output. It keeps no weight, timestamp or id.
 */
final class CsvFormat implements ExampleFormat {

  private final ExampleRules rules;
  private final ClassNames classNames;
  private final char separator;
  private final CsvLine line;
  private final boolean labelFirst;
  private final int labelColumns;

  CsvFormat(ExampleRules rules, FormatSettings settings) {
    ExampleShape shape = rules.shape();
    if (shape.structure().isSequence()) {
      throw new IllegalArgumentException(
          "The format csv holds no sequences; take json, float32 or uint8");
    }
    this.rules = rules;
    this.classNames = new ClassNames(settings.classNames(), shape);
    this.separator = settings.separator();
    this.labelColumns = rules.isClassification() ? 1 : shape.outputs();
    this.labelFirst = settings.labelFirst();
    this.line = new CsvLine(separator, shape.features() + labelColumns);
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    WireHeader.refuse(value);
    int columns = line.split(value);
    int features = rules.shape().features();
    if (rules.isLabelled()) {
      rules.checkFeatureCount(Math.max(0, columns - labelColumns));
      readNumbers(value, "feature", labelFirst ? labelColumns : 0, into.features());
      readLabels(value, labelFirst ? 0 : features, into);
    } else {
      if (columns != features && columns != features + labelColumns) {
        throw new InvalidExampleException(
            "%s columns expected, or %s with labels, %s found"
                .formatted(features, features + labelColumns, columns));
      }
      readNumbers(value, "feature", labelFirst ? columns - features : 0, into.features());
    }
  }

  private void readLabels(byte[] value, int first, Example into) throws InvalidExampleException {
    if (rules.isClassification()) {
      readClass(value, first, into);
    } else {
      readNumbers(value, "label", first, into.labels());
      rules.checkLabelRow(into.labels(), 0);
    }
  }

  private void readNumbers(byte[] value, String what, int firstField, float[] into)
      throws InvalidExampleException {
    for (int i = 0; i < into.length; i++) {
      int from = line.start(firstField + i);
      int to = line.end(firstField + i);
      float number = isNumeric(value, from, to) ? parse(value, from, to) : Float.NaN;
      if (!Float.isFinite(number)) {
        throw notFinite("%s %s".formatted(what, i), number, value, from, to);
      }
      into[i] = number;
    }
  }

  private static float parse(byte[] value, int from, int to) {
    try {
      return JavaFloatParser.parseFloat(value, from, to - from);
    } catch (NumberFormatException e) {
      return Float.NaN;
    }
  }

  private static InvalidExampleException notFinite(
      String what, float number, byte[] value, int from, int to) {
    if (from == to) {
      return new InvalidExampleException(what + " is empty");
    }
    String text = Excerpt.of(value, from, to);
    if (Float.isInfinite(number)) {
      return new InvalidExampleException(what + " is beyond the range of float: " + text);
    }
    return new InvalidExampleException(
        text.equalsIgnoreCase("\"nan\"") ? what + " is NaN" : what + " is not a number: " + text);
  }

  private void readClass(byte[] value, int column, Example into) throws InvalidExampleException {
    int from = line.start(column);
    int to = line.end(column);
    int named = findName(value, from, to);
    if (named != ClassNames.UNKNOWN) {
      into.setClass(named);
      return;
    }
    double number = isNumeric(value, from, to) ? parseClass(value, from, to) : Double.NaN;
    if (classNames.areNumeric()) {
      into.setClass(classNames.meant(number, new String(value, from, to - from, UTF_8)));
      return;
    }
    if (Double.isNaN(number)) {
      String expected =
          classNames.areGiven() ? "neither a class name nor a number" : "not a number";
      throw new InvalidExampleException(
          "label is %s: %s".formatted(expected, Excerpt.of(value, from, to)));
    }
    if (!rules.isClass(number)) {
      throw rules.noClass(number, new String(value, from, to - from, UTF_8));
    }
    into.setClass((int) number);
  }

  private static double parseClass(byte[] value, int from, int to) {
    try {
      return JavaDoubleParser.parseDouble(value, from, to - from);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private int findName(byte[] value, int from, int to) {
    if (!classNames.areGiven()) {
      return ClassNames.UNKNOWN;
    }
    for (int i = from; i < to; i++) {
      if (value[i] == '"') {
        return classNames.find(new String(value, from, to - from, UTF_8).replace("\"\"", "\""));
      }
    }
    return classNames.find(value, from, to);
  }

  /** Whether only digits, signs, points and exponents come: Java's parser takes hex and more. */
  private static boolean isNumeric(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if ((b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E') {
        return false;
      }
    }
    return from < to;
  }

  @Override
  public byte[] write(Example example) {
    StringBuilder text = new StringBuilder();
    if (rules.isLabelled() && labelFirst) {
      writeLabels(example, text);
    }
    writeNumbers(example.features(), text);
    if (rules.isLabelled() && !labelFirst) {
      writeLabels(example, text);
    }
    text.setLength(text.length() - 1);
    return text.toString().getBytes(UTF_8);
  }

  private void writeNumbers(float[] numbers, StringBuilder text) {
    for (float number : numbers) {
      text.append(number).append(separator);
    }
  }

  private void writeLabels(Example example, StringBuilder text) {
    if (!rules.isClassification()) {
      writeNumbers(example.labels(), text);
    } else if (classNames.areGiven()) {
      writeName(new String(classNames.name(rules.classOf(example)), UTF_8), text);
    } else {
      text.append(rules.classOf(example)).append(separator);
    }
  }

  /** Writes a name, in quotes only where a reader needs them. */
  private void writeName(String name, StringBuilder text) {
    boolean plain =
        name.chars().noneMatch(c -> c == separator || c == '"' || c == '\n' || c == '\r');
    text.append(plain ? name : '"' + name.replace("\"", "\"\"") + '"').append(separator);
  }
}
