package dev.millrace.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.fields.BooleanField;
import dev.millrace.fields.CellWord;
import dev.millrace.fields.FeatureField;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldSource;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.GivenCategory;
import dev.millrace.fields.HashedCategory;
import dev.millrace.fields.IdField;
import dev.millrace.fields.LabelField;
import dev.millrace.fields.LearnedCategory;
import dev.millrace.fields.NumberField;
import dev.millrace.fields.TimeField;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Writes a row of a table as a record of named fields. */
final class RowForms {

  private final List<FieldPath> paths;
  private final boolean[] numeric;
  private final boolean[] truth;
  private final boolean[] category;
  private final FieldTexts texts;

  RowForms(List<String> names, FieldTable layout) {
    Set<FieldPath> described = Set.copyOf(layout.features().plan().fields());
    this.texts = layout.fields().texts();
    this.paths = names.stream().map(name -> path(name, described)).toList();
    Set<FieldPath> numbers = new HashSet<>(numbers(layout));
    Set<FieldPath> booleans = new HashSet<>();
    Set<FieldPath> categories = new HashSet<>();
    for (FeatureField field : layout.fields().features()) {
      if (field instanceof BooleanField) {
        booleans.addAll(paths(field.source()).toList());
      } else if (isCategory(field)) {
        categories.addAll(paths(field.source()).toList());
      }
    }
    for (LabelField label : layout.fields().labels()) {
      boolean maybeTruth =
          label.ruleOrNull() == null
              ? layout.classNames().isEmpty()
              : label.ruleOrNull().isOfTruth();
      if (maybeTruth) {
        booleans.addAll(paths(label.source()).toList());
      }
    }
    this.numeric = new boolean[paths.size()];
    this.truth = new boolean[paths.size()];
    this.category = new boolean[paths.size()];
    for (int i = 0; i < numeric.length; i++) {
      numeric[i] = numbers.contains(paths.get(i));
      truth[i] = booleans.contains(paths.get(i));
      category[i] = categories.contains(paths.get(i));
    }
  }

  private static Stream<FieldPath> paths(FieldSource source) {
    return Stream.concat(Stream.of(source.path()), source.aliases().stream());
  }

  private static boolean isCategory(FeatureField field) {
    return field instanceof GivenCategory
        || field instanceof LearnedCategory
        || field instanceof HashedCategory
        || field instanceof IdField;
  }

  /** A name that is no path, or that is described as a name with points, is a member as it is. */
  private static FieldPath path(String name, Set<FieldPath> described) {
    FieldPath itself = new FieldPath(List.of(name));
    if (described.contains(itself)) {
      return itself;
    }
    try {
      FieldPath path = FieldPath.of(name);
      return path.steps().stream().allMatch(String.class::isInstance) ? path : itself;
    } catch (IllegalArgumentException e) {
      return itself;
    }
  }

  private static List<FieldPath> numbers(FieldTable layout) {
    FieldsDescription fields = layout.fields();
    Stream<FieldPath> features =
        fields.features().stream()
            .filter(field -> field instanceof NumberField || field instanceof TimeField)
            .flatMap(field -> paths(field.source()));
    Stream<FieldPath> labels =
        fields.labels().stream()
            .filter(
                label ->
                    label.ruleOrNull() == null
                        ? layout.classNames().isEmpty()
                        : label.ruleOrNull().isOfNumbers())
            .flatMap(label -> paths(label.source()));
    Stream<FieldPath> others = Stream.ofNullable(fields.weightOrNull()).flatMap(RowForms::paths);
    Stream<FieldPath> times = Stream.ofNullable(fields.timestampOrNull()).flatMap(RowForms::paths);
    return Stream.of(features, labels, others, times).flatMap(paths -> paths).toList();
  }

  /** A line of csv; what a reader would take for more than one cell is in quotes. */
  static byte[] line(List<String> cells, char separator) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      if (i > 0) {
        line.append(separator);
      }
      boolean plain =
          cell.chars().noneMatch(c -> c == separator || c == '"' || c == '\n' || c == '\r');
      line.append(plain ? cell : '"' + cell.replace("\"", "\"\"") + '"');
    }
    return line.toString().getBytes(UTF_8);
  }

  /** A JSON object. */
  byte[] object(List<String> cells) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      if (!cell.isEmpty() && !texts.isMissing(cell)) {
        put(object, i, cell);
      }
    }
    return object.toString().getBytes(UTF_8);
  }

  private void put(ObjectNode object, int column, String cell) {
    List<Object> steps = paths.get(column).steps();
    ObjectNode place = object;
    for (Object step : steps.subList(0, steps.size() - 1)) {
      String name = (String) step;
      place = place.get(name) instanceof ObjectNode inner ? inner : place.putObject(name);
    }
    String name = (String) steps.get(steps.size() - 1);
    BigDecimal number = numeric[column] ? numberOrNull(texts.withPoint(cell)) : null;
    if (number != null) {
      place.put(name, number);
    } else if (truth[column] && cell.matches("(?i)true|false|0|1")) {
      place.put(name, cell.equals("1") || cell.equalsIgnoreCase("true"));
    } else {
      place.put(name, category[column] ? CellWord.of(texts.withPoint(cell)) : cell);
    }
  }

  /** Null where the cell is no number: it stays a text, and whoever reads it rejects it. */
  private static BigDecimal numberOrNull(String cell) {
    try {
      return new BigDecimal(cell);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
