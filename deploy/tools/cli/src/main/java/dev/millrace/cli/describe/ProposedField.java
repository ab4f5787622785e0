package dev.millrace.cli.describe;

import dev.millrace.fields.TimeUnit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a field could be described.
 *
 * @param keys of its description, as YAML without braces; empty where it is left out
 * @param comment what its values are, and what is doubtful
 * @param omission why it is left out; empty where it isn't
 */
record ProposedField(String keys, String comment, String omission) {

  private static final int MOST_GIVEN = 10;
  private static final int MOST_SYMBOLS = 100;
  private static final int MOST_LEARNED = 500;
  private static final int MOST_SHOWN = 3;
  private static final int LONG_TEXT = 30;
  private static final double WIDE = 1000;
  private static final double SKEWED = 20;
  private static final double ROOM = 1.25;
  private static final int DIMENSION = 16;
  private static final String ID = "kind: id, dimension: ";
  private static final String IDS = "kind: ids, dimension: ";

  /** Whether it names rows of an embedding table. */
  boolean isIds() {
    return keys.contains(", " + ID) || keys.contains(", " + IDS);
  }

  /**
   * Proposes a description.
   *
   * @param rows records of the sample
   * @param ids whether fields may name rows of embedding tables
   */
  static ProposedField of(FieldProfile field, long rows, boolean ids) {
    String omission = omission(field, ids);
    return new ProposedField(
        omission.isEmpty()
            ? "path: %s, %s".formatted(Yaml.text(field.path()), kind(field, ids))
            : "",
        comment(field, rows, ids),
        omission);
  }

  private static String omission(FieldProfile field, boolean ids) {
    if (field.present() == 0) {
      return "always missing";
    }
    if (ids && field.areLists()) {
      return "";
    }
    if (field.hasOthers()) {
      return "an array or an object";
    }
    if (field.words().size() < 2 && !field.hasManyWords() && field.symbols().isEmpty()) {
      return "constant";
    }
    if (field.areBase64()) {
      return "it looks like base64, bytes or Debezium's decimals; decimal.handling.mode string or"
          + " double writes numbers";
    }
    return kind(field, ids).isEmpty() ? "nearly unique" : "";
  }

  /** Empty where the field says nothing. */
  private static String kind(FieldProfile field, boolean ids) {
    if (ids && field.areLists()) {
      return IDS + DIMENSION;
    }
    if (!field.symbols().isEmpty()) {
      return field.symbols().size() <= MOST_SYMBOLS
          ? "kind: category, values: " + Yaml.list(field.symbols())
          : words(field, ids);
    }
    if (field.timeUnit().isPresent()) {
      TimeUnit unit = field.timeUnit().get();
      return time(field) + (unit == TimeUnit.MILLISECONDS ? "" : ", unit: " + unit);
    }
    if (field.areBooleans()) {
      return "kind: boolean";
    }
    if (ids && areIds(field)) {
      return words(field, true);
    }
    if (field.areMostlyNumbers() && !field.areCodes()) {
      NumberRange range = field.range();
      boolean skewed =
          range.least() >= 0 && range.most() >= WIDE && range.most() > SKEWED * range.mean();
      return "kind: number" + (skewed ? ", scale: logarithm" : "");
    }
    if (field.areMostlyTimes()) {
      return time(field);
    }
    return words(field, ids);
  }

  /** Whether numbers name things, and come again. */
  private static boolean areIds(FieldProfile field) {
    return field.areNamedIds() && !field.isUnique();
  }

  private static String time(FieldProfile field) {
    return "kind: time, parts: [%sday-of-week]".formatted(field.haveHours() ? "hour-of-day, " : "");
  }

  private static String words(FieldProfile field, boolean ids) {
    long distinct = field.distinct();
    if (distinct <= MOST_GIVEN && !field.hasManyWords() && !field.words().containsKey("")) {
      return "kind: category, values: " + Yaml.list(field.words().keySet());
    }
    if (ids && !field.separator().isEmpty()) {
      return IDS + "%s, separator: \"%s\"".formatted(DIMENSION, field.separator());
    }
    if (distinct <= MOST_LEARNED && !field.isUnique()) {
      return "kind: category, words: " + (int) Math.ceil(distinct * ROOM);
    }
    if ((field.length() > LONG_TEXT && !field.areTokens()) || field.isProse()) {
      return "kind: text, ngrams: 3, buckets: 512";
    }
    if (field.isUnique()) {
      return "";
    }
    return ids ? ID + DIMENSION : "kind: category, buckets: 1024";
  }

  private static String comment(FieldProfile field, long rows, boolean ids) {
    List<String> parts = new ArrayList<>();
    if (ids && field.areLists()) {
      parts.add(String.format(Locale.ROOT, "lists of %,d values", field.elements()));
      addMissing(parts, field, rows);
      return String.join(", ", parts);
    }
    if (field.present() == 0 || field.hasOthers()) {
      return "";
    }
    if (field.numbers() > 0 && field.timeUnit().isPresent()) {
      parts.add(
          "%s to %s"
              .formatted(
                  time(field.timeUnit().get(), field.range().least()),
                  time(field.timeUnit().get(), field.range().most())));
    } else if (field.numbers() > 0) {
      parts.add(
          "%s to %s"
              .formatted(Yaml.number(field.range().least()), Yaml.number(field.range().most())));
    }
    String examples =
        field.areNumbers() || field.areBooleans() ? "" : " such as " + examples(field);
    parts.add(
        String.format(
            Locale.ROOT,
            "%s%,d values%s",
            field.hasManyWords() ? "more than " : "",
            field.words().size(),
            examples));
    if (!field.symbols().isEmpty()) {
      parts.add("an enum of %s".formatted(field.symbols().size()));
    }
    addMissing(parts, field, rows);
    if (field.numbers() > 0 && !field.areNumbers()) {
      parts.add(
          String.format(
              Locale.ROOT, "%.1f %% are numbers", 100.0 * field.numbers() / field.present()));
    }
    parts.addAll(ids && areIds(field) ? List.of("an id, as its name says") : doubts(field));
    return String.join(", ", parts);
  }

  private static void addMissing(List<String> parts, FieldProfile field, long rows) {
    long missing = rows - field.present();
    if (missing > 0) {
      parts.add(String.format(Locale.ROOT, "%.1f %% missing", 100.0 * missing / rows));
    }
    if (missing == 0 && field.isNullable()) {
      parts.add("may be missing");
    }
  }

  private static List<String> doubts(FieldProfile field) {
    List<String> doubts = new ArrayList<>();
    boolean number = field.areMostlyNumbers() && !field.areCodes() && field.timeUnit().isEmpty();
    if (number && field.areQuoted()) {
      doubts.add("numbers in quotes");
    }
    if (number && field.range().mayCount()) {
      doubts.add("it counts the records as an id does");
    }
    if (number && field.areWhole() && !time(field.range()).isEmpty()) {
      doubts.add("it may be a time in %s, for kind: time".formatted(time(field.range())));
    }
    if (field.areCodes() && field.areMostlyNumbers()) {
      doubts.add("taken for words, since some begin with 0");
    }
    if (!field.areMostlyNumbers() && (field.areMostlyNumbers(',') || field.areMostlyNumbers('.'))) {
      doubts.add(
          "it looks like numbers with another decimal sign, or with commas between thousands;"
              + " input.decimal says which");
    }
    if (!number && !field.areMostlyTimes()) {
      List<String> words =
          field.absent().keySet().stream()
              .filter(field.words()::containsKey)
              .map(Yaml::shown)
              .toList();
      if (!words.isEmpty()) {
        doubts.add(
            "%s may mean missing, input.missing says so".formatted(String.join(", ", words)));
      }
    }
    return doubts;
  }

  /** The unit in which all numbers are times from 2001 to 2100; empty where there is none. */
  private static String time(NumberRange range) {
    if (range.least() >= 1e15 && range.most() < 4.2e15) {
      return "microseconds";
    }
    return range.least() >= 1e12 && range.most() < 4.2e12 ? "milliseconds" : "";
  }

  private static String time(TimeUnit unit, double number) {
    try {
      return Instant.ofEpochMilli(unit.toMillis(number)).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (ArithmeticException e) {
      return "%s %s".formatted(number, unit);
    }
  }

  private static String examples(FieldProfile field) {
    List<String> most =
        field.words().entrySet().stream()
            .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
            .limit(MOST_SHOWN)
            .map(entry -> Yaml.shown(entry.getKey()))
            .toList();
    return most.stream().collect(Collectors.joining(", "));
  }
}
