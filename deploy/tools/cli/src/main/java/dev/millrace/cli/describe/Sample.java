package dev.millrace.cli.describe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.CsvLine;
import dev.millrace.example.Excerpt;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.JsonText;
import dev.millrace.example.SkippedRecordException;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.SchemaField;
import dev.millrace.file.CellTexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What the fields of some records look like.
 *
 * <p>Not thread-safe.
 */
public final class Sample {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_SHOWN = 200;
  private static final int MOST_ELEMENTS = 1000;
  private static final Pattern WHOLE = Pattern.compile("\\d+");

  /** Distinct numbers that are kept of all fields together, as far as few of each allow it. */
  private static final int NUMBERS_IN_ALL = 4_000_000;

  private static final int LEAST_NUMBERS = 60;

  private final List<String> missing;
  private final Character decimalOrNull;
  private final Set<String> maybeMissing;
  private final Map<String, FieldProfile> fields = new LinkedHashMap<>();
  private FieldTexts texts;
  private long rows;
  private long unreadable;
  private long skipped;
  private Envelope envelope = Envelope.NONE;
  private String firstUnreadable = "";

  /** Makes a sample whose texts are to be guessed. */
  public Sample() {
    this(List.of(), null);
  }

  /**
   * @param missing words that are known to mean a missing value; others may be found
   * @param decimalOrNull the decimal sign; null where it is to be guessed
   */
  public Sample(List<String> missing, Character decimalOrNull) {
    this.missing = List.copyOf(missing);
    this.decimalOrNull = decimalOrNull;
    this.maybeMissing = new HashSet<>(CellTexts.MISSING);
    maybeMissing.addAll(missing);
  }

  /**
   * The path of a column.
   *
   * @param name of the column
   */
  public static String path(String name) {
    FieldPath itself = new FieldPath(List.of(name));
    try {
      FieldPath path = FieldPath.of(name);
      boolean named = path.steps().stream().allMatch(String.class::isInstance);
      return named && path.toString().equals(name) ? name : itself.toString();
    } catch (IllegalArgumentException e) {
      return itself.toString();
    }
  }

  /**
   * Takes in a row of a table.
   *
   * @param columns their paths
   */
  public void row(List<String> columns, List<String> cells) {
    rows++;
    int most = Math.max(LEAST_NUMBERS, NUMBERS_IN_ALL / Math.max(1, columns.size()));
    for (int i = 0; i < columns.size(); i++) {
      FieldProfile field = field(columns.get(i), Math.min(FieldProfile.MOST_NUMBERS, most));
      if (i < cells.size()) {
        field.cell(cells.get(i));
      }
    }
  }

  /**
   * Takes in a JSON object; other text is only counted.
   *
   * @param place of the value, in words
   */
  public void json(byte[] value, String place) {
    try {
      JsonText.require(value);
      JsonNode node = row(JSON.readTree(value));
      if (node != null && node.isObject()) {
        rows++;
        members(node, FieldPath.ROOT);
      } else {
        unreadable(place, "a JSON object expected");
      }
    } catch (SkippedRecordException e) {
      skipped++;
    } catch (InvalidExampleException e) {
      unreadable(place, e.getMessage());
    } catch (JsonProcessingException e) {
      unreadable(place, "it is no JSON: " + Excerpt.oneLine(e.getOriginalMessage(), MOST_SHOWN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what is in the envelope. */
  private JsonNode row(JsonNode node) throws InvalidExampleException {
    if (envelope == Envelope.NONE || node == null) {
      return node;
    }
    Envelope.require(node.at(envelope.operation().pointer()).asText());
    return node.at(envelope.row().pointer());
  }

  /**
   * Takes in a line of csv; other text is only counted.
   *
   * @param names of the columns; empty where they are called by their places
   * @param place of the value, in words
   */
  public void csv(byte[] value, char separator, List<String> names, String place) {
    int most = 1;
    for (byte b : value) {
      most += b == separator ? 1 : 0;
    }
    CsvLine line = new CsvLine(separator, most);
    try {
      int found = line.split(value);
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < found; i++) {
        cells.add(
            new String(value, line.start(i), line.end(i) - line.start(i), UTF_8)
                .replace("\"\"", "\""));
      }
      row(names.isEmpty() ? places(found) : names.stream().map(Sample::path).toList(), cells);
    } catch (InvalidExampleException e) {
      unreadable(place, e.getMessage());
    }
  }

  /** Takes in that records are in an envelope. */
  public void within(Envelope around) {
    envelope = around;
  }

  /** Takes in fields of the records' schema, in its order, before their values. */
  public void declare(Collection<SchemaField> schema) {
    schema.forEach(
        field -> field(field.path().toString(), FieldProfile.MOST_NUMBERS).declare(field));
  }

  /**
   * Takes in a record that a job's format reads; others are only counted.
   *
   * @param format of the schema's fields in their envelope
   * @param values of these, for the format
   * @param place of the value, in words
   */
  public void record(
      byte[] value,
      List<SchemaField> schema,
      RecordFormat format,
      FieldValues values,
      String place) {
    try {
      values.clear();
      format.read(value, values);
      envelope.requireRow(values);
    } catch (SkippedRecordException e) {
      skipped++;
      return;
    } catch (InvalidExampleException e) {
      unreadable(place, e.getMessage());
      return;
    }
    rows++;
    for (int i = 0; i < schema.size(); i++) {
      FieldProfile field = field(schema.get(i).path().toString(), FieldProfile.MOST_NUMBERS);
      switch (values.kind(i)) {
        case LONG -> field.number((double) values.longAt(i), Long.toString(values.longAt(i)));
        case DOUBLE -> field.number(values.doubleAt(i), Double.toString(values.doubleAt(i)));
        case BOOLEAN -> field.truth(Boolean.toString(values.booleanAt(i)));
        case TEXT -> field.text(values.textAt(i));
        case CELL -> field.cell(values.textAt(i));
        case LIST -> list(field, values.listAt(i));
        case OTHER -> field.other();
        case MISSING -> {}
      }
    }
  }

  private void unreadable(String place, String reason) {
    firstUnreadable = unreadable++ == 0 ? place + ": " + reason : firstUnreadable;
  }

  /** Paths of columns without names. */
  static List<String> places(int columns) {
    return IntStream.range(0, columns).mapToObj(column -> "[%s]".formatted(column)).toList();
  }

  private void members(JsonNode node, FieldPath place) {
    node.properties()
        .forEach(
            member -> {
              FieldPath path = place.then(member.getKey());
              JsonNode value = member.getValue();
              if (value.isObject()) {
                members(value, path);
              } else {
                value(field(path.toString(), FieldProfile.MOST_NUMBERS), value);
              }
            });
  }

  private static void value(FieldProfile field, JsonNode value) {
    if (value.isNumber()) {
      field.number(value.doubleValue(), text(value));
    } else if (value.isBoolean()) {
      field.truth(value.asText());
    } else if (value.isTextual()) {
      field.text(value.asText());
    } else if (value.isArray()) {
      list(field, value);
    } else if (!value.isNull()) {
      field.other();
    }
  }

  private static void list(FieldProfile field, FieldValues list) {
    List<String> elements = new ArrayList<>();
    boolean numbers = true;
    boolean whole = true;
    for (int i = 0; i < Math.min(list.steps(), MOST_ELEMENTS) && !field.hasVectors(); i++) {
      FieldValues element = list.step(i);
      boolean number = true;
      switch (element.kind(0)) {
        case LONG -> {
          elements.add(Long.toString(element.longAt(0)));
          whole &= element.longAt(0) >= 0;
        }
        case DOUBLE -> {
          elements.add(Double.toString(element.doubleAt(0)));
          whole = false;
        }
        case TEXT, CELL -> {
          elements.add(element.textAt(0));
          number = false;
        }
        case BOOLEAN -> {
          elements.add(Boolean.toString(element.booleanAt(0)));
          number = false;
        }
        case LIST, OTHER -> {
          field.other();
          return;
        }
        case MISSING -> {}
      }
      numbers &= number;
    }
    field.list(elements, numbers, numbers && whole);
  }

  /** Elements that are null are no elements. */
  private static void list(FieldProfile field, JsonNode array) {
    List<String> elements = new ArrayList<>();
    boolean numbers = true;
    boolean whole = true;
    for (int i = 0; i < Math.min(array.size(), MOST_ELEMENTS) && !field.hasVectors(); i++) {
      JsonNode element = array.get(i);
      if (element.isContainerNode()) {
        field.other();
        return;
      }
      if (!element.isNull()) {
        String word = element.isNumber() ? text(element) : element.asText();
        elements.add(word);
        numbers &= element.isNumber();
        whole &= element.isNumber() && WHOLE.matcher(word).matches();
      }
    }
    field.list(elements, numbers, whole);
  }

  /** A whole number as one, so that 1.0 is the class 1. */
  private static String text(JsonNode number) {
    boolean whole = number.isFloatingPointNumber() && number.canConvertToExactIntegral();
    return whole && number.canConvertToLong() ? Long.toString(number.longValue()) : number.asText();
  }

  private FieldProfile field(String path, int mostNumbers) {
    return fields.computeIfAbsent(path, key -> new FieldProfile(key, maybeMissing, mostNumbers));
  }

  /** Returns what texts stand for. Nothing more is taken in afterwards. */
  public FieldTexts texts() {
    if (texts == null) {
      texts = TextForms.of(fields.values(), missing, decimalOrNull);
      fields.values().forEach(field -> field.settle(texts));
    }
    return texts;
  }

  /** The fields in the order in which they came first, settled. */
  List<FieldProfile> fields() {
    texts();
    return new ArrayList<>(fields.values());
  }

  /** Records that were taken in. */
  public long rows() {
    return rows;
  }

  /** Records that leave no row, which a job skips. */
  public long skipped() {
    return skipped;
  }

  /** Records that were none of the format. */
  public long unreadable() {
    return unreadable;
  }

  /** The first of them: its place, and why. */
  public String firstUnreadable() {
    return firstUnreadable;
  }
}
