package dev.millrace.cli.describe;

import dev.millrace.fields.FieldPath;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a field could be described.
 *
 * @param keys of its description, as YAML without braces; empty where it is left out
 * @param comment what its values are
 */
record ProposedField(String keys, String comment) {

  private static final int MOST_GIVEN = 10;
  private static final int MOST_LEARNED = 500;
  private static final int MOST_SHOWN = 3;
  private static final int LONG_TEXT = 30;
  private static final double WIDE = 1000;
  private static final double SKEWED = 20;
  private static final double ROOM = 1.25;

  /** The path of a column without a name, as of an index. */
  private static final String NAMELESS = new FieldPath(List.of("")).toString();

  static ProposedField of(FieldProfile field, long rows) {
    if (field.path().equals(NAMELESS)) {
      return new ProposedField("", "a column without a name; left out");
    }
    String comment = comment(field, rows);
    String kind = kind(field);
    return new ProposedField(
        kind.isEmpty() ? "" : "path: %s, %s".formatted(Yaml.text(field.path()), kind), comment);
  }

  /** Empty where the field says nothing. */
  private static String kind(FieldProfile field) {
    boolean constant = field.words().size() < 2 && !field.hasManyWords();
    if (field.present() == 0 || field.hasOthers() || constant) {
      return "";
    }
    if (field.areBooleans()) {
      return "kind: boolean";
    }
    if (field.areNumbers() || 20 * (field.present() - field.numbers()) < field.present()) {
      boolean skewed =
          field.least() >= 0 && field.most() >= WIDE && field.most() > SKEWED * field.mean();
      return "kind: number" + (skewed ? ", scale: logarithm" : "");
    }
    if (field.areTimes()) {
      return "kind: time, parts: [hour-of-day, day-of-week]";
    }
    return words(field);
  }

  private static String words(FieldProfile field) {
    int distinct = field.words().size();
    if (distinct <= MOST_GIVEN && !field.hasManyWords()) {
      return "kind: category, values: " + Yaml.list(field.words().keySet());
    }
    if (distinct <= MOST_LEARNED && !field.isUnique()) {
      return "kind: category, words: " + (int) Math.ceil(distinct * ROOM);
    }
    if (field.length() > LONG_TEXT || field.isProse()) {
      return "kind: text, ngrams: 3, buckets: 512";
    }
    return field.isUnique() ? "" : "kind: category, buckets: 1024";
  }

  private static String comment(FieldProfile field, long rows) {
    StringBuilder comment = new StringBuilder();
    if (field.hasOthers()) {
      return "an array or an object; left out";
    }
    if (field.present() == 0) {
      return "always missing; left out";
    }
    if (field.numbers() > 0) {
      comment.append("%s to %s, ".formatted(Yaml.number(field.least()), Yaml.number(field.most())));
    }
    comment.append(
        String.format(
            Locale.ROOT,
            "%s%,d values",
            field.hasManyWords() ? "more than " : "",
            field.words().size()));
    if (!field.areNumbers() && !field.areBooleans()) {
      comment.append(" such as ").append(examples(field));
    }
    long missing = rows - field.present();
    if (missing > 0) {
      comment.append(String.format(Locale.ROOT, ", %.1f %% missing", 100.0 * missing / rows));
    }
    if (field.numbers() > 0 && !field.areNumbers()) {
      comment.append(
          String.format(
              Locale.ROOT, ", %.1f %% are numbers", 100.0 * field.numbers() / field.present()));
    }
    if (kind(field).isEmpty()) {
      comment.append(
          field.words().size() < 2 ? ", constant; left out" : ", nearly unique; left out");
    }
    return comment.toString();
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
