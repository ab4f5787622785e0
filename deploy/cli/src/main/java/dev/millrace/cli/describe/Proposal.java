package dev.millrace.cli.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A file of options, {@code --config}, that fits a sample of records. */
public final class Proposal {

  private static final int COMMENT_COLUMN = 64;

  private final Sample sample;
  private final String source;
  private final ProposedLabel label;

  /**
   * @param source what the sample was taken of, in words
   * @param labelOrNull the path of the label; null where it is to be guessed
   * @throws IllegalArgumentException if there are no records, or no such field
   */
  public Proposal(Sample sample, String source, String labelOrNull) {
    if (sample.rows() == 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has no valid records, and %,d that can't be read",
              source,
              sample.unreadable()));
    }
    this.sample = sample;
    this.source = source;
    this.label =
        labelOrNull == null
            ? ProposedLabel.of(sample.fields())
            : sample.fields().stream()
                .filter(field -> field.path().equals(labelOrNull))
                .findFirst()
                .map(ProposedLabel::of)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "%s has no field \"%s\"".formatted(source, labelOrNull)));
  }

  /**
   * The file.
   *
   * @param bootstrapServers of the broker
   * @param topic that is learned from
   * @param format of the records
   * @param layout further options of the input, lines of YAML
   */
  public String text(String bootstrapServers, String topic, String format, List<String> layout) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "# Proposed by millrace describe: %,d records of %s.",
            sample.rows(),
            source));
    if (sample.unreadable() > 0) {
      lines.add(String.format(Locale.ROOT, "# %,d more are no records.", sample.unreadable()));
    }
    lines.add("# Look at the label first: it is a guess.");
    lines.add("kafka.bootstrap.servers: " + Yaml.text(bootstrapServers));
    lines.add("input:");
    lines.add("  topics: [%s]".formatted(Yaml.text(topic)));
    lines.add("  format: " + format);
    layout.forEach(line -> lines.add("  " + line));
    lines.addAll(input().stream().map(line -> "  " + line).toList());
    lines.add("model:");
    lines.add("  name: mlp");
    return String.join("\n", lines) + "\n";
  }

  /** A list of YAML. */
  public static String list(List<String> texts) {
    return Yaml.list(texts);
  }

  /** The options of labels and fields, lines of YAML below {@code input}. */
  public List<String> input() {
    List<String> lines = new ArrayList<>(label.options());
    lines.addAll(fields());
    return lines;
  }

  private List<String> fields() {
    List<String> lines = new ArrayList<>();
    lines.add("fields:");
    for (FieldProfile field : sample.fields()) {
      ProposedField proposed = ProposedField.of(field, sample.rows());
      if (field.path().equals(label.path())) {
        lines.add(line("  - {path: %s, role: label}".formatted(Yaml.text(field.path())), proposed));
      } else if (proposed.keys().isEmpty()) {
        lines.add("  # %s: %s".formatted(Yaml.text(field.path()), proposed.comment()));
      } else {
        lines.add(line("  - {%s}".formatted(proposed.keys()), proposed));
      }
    }
    return lines;
  }

  private static String line(String keys, ProposedField proposed) {
    String padding = " ".repeat(Math.max(1, COMMENT_COLUMN - keys.length()));
    return keys + padding + "# " + proposed.comment().replace(", nearly unique; left out", "");
  }
}
