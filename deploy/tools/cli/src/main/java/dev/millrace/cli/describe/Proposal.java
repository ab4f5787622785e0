package dev.millrace.cli.describe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A file of options, {@code --config}, that fits a sample of records. */
public final class Proposal {

  private static final int COMMENT_COLUMN = 64;

  private final Sample sample;
  private final String source;
  private final ProposedLabel label;
  private final boolean guessed;
  private final Map<String, String> remarks;
  private Rejections rejections = new Rejections();
  private LabelOrder order = new LabelOrder();
  private boolean ids = true;

  /**
   * @param source what the sample was taken of, in words
   * @param labelOrNull the path of the label; null where it is to be guessed
   * @throws IllegalArgumentException if there are no records, or no such field
   */
  public Proposal(Sample sample, String source, String labelOrNull) {
    this(sample, source, labelOrNull, Map.of());
  }

  /**
   * Makes a proposal that has remarks on columns of a table.
   *
   * @param remarks by paths
   */
  public Proposal(Sample sample, String source, String labelOrNull, Map<String, String> remarks) {
    if (sample.rows() == 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has no valid records, and %,d that can't be read%s",
              source,
              sample.unreadable(),
              sample.unreadable() == 0 ? "" : "; the first is " + sample.firstUnreadable()));
    }
    this.sample = sample;
    this.source = source;
    this.remarks = new HashMap<>(remarks);
    this.guessed = labelOrNull == null;
    List<FieldProfile> fields = sample.fields();
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("%s has records without any field".formatted(source));
    }
    this.label =
        guessed
            ? ProposedLabel.of(fields, nameless(), sample.texts())
            : fields.stream()
                .filter(field -> field.path().equals(labelOrNull))
                .findFirst()
                .map(field -> ProposedLabel.of(field, sample.texts()))
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "%s has no field \"%s\"".formatted(source, labelOrNull)));
  }

  private Set<String> nameless() {
    return remarks.entrySet().stream()
        .filter(remark -> remark.getValue().equals(SampledFile.NAMELESS))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Returns why nothing can be learned with the label that it has, and what to do. */
  public Optional<String> problem() {
    return label.problem().isEmpty() ? Optional.empty() : Optional.of(label.problem());
  }

  /** Returns what the sample was taken of, in words. */
  public String source() {
    return source;
  }

  /** Takes in what a job would reject of the sample, to be told in the file. */
  public void rejecting(Rejections found) {
    this.rejections = found;
  }

  /** Proposes no fields of ids: for a model that is used after its rows are gone. */
  public Proposal withoutIds() {
    ids = false;
    return this;
  }

  /** Takes in the order of the labels: where it tells, the file has the preset for streams. */
  public void ordered(LabelOrder found) {
    this.order = found;
  }

  /**
   * The file.
   *
   * @param connection how the broker is reached, lines of YAML
   * @param topic that is learned from
   * @param format of the records
   * @param layout further options of the input, lines of YAML
   */
  public String text(List<String> connection, String topic, String format, List<String> layout) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "# Proposed by millrace describe: %,d records of %s.",
            sample.rows(),
            Yaml.printable(source)));
    if (sample.skipped() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# %,d more are deletes, which a job skips and counts.",
              sample.skipped()));
    }
    if (sample.unreadable() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# %,d more are no records; the first is %s.",
              sample.unreadable(),
              Yaml.printable(sample.firstUnreadable())));
    }
    if (rejections.count() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# A job with these options rejects %,d of them; their fields say why.",
              rejections.count()));
    }
    if (!rejections.ofNone().isEmpty()) {
      lines.add("# %s.".formatted(rejections.ofNone()));
    }
    if (guessed) {
      lines.add("# Look at the label first: it is a guess.");
    }
    lines.addAll(connection);
    lines.add("input:");
    lines.add("  topics: [%s]".formatted(Yaml.text(topic)));
    lines.add("  format: " + format);
    layout.forEach(line -> lines.add("  " + line));
    lines.addAll(input().stream().map(line -> "  " + line).toList());
    lines.add("model:");
    if (proposesRows()) {
      lines.add("  name: deepfm");
      lines.add("# For predictions elsewhere publish rows: give rows.topic or rows.files.");
    } else {
      lines.add("  name: mlp");
    }
    order
        .remark()
        .ifPresent(
            remark -> {
              lines.add("# %s.".formatted(remark));
              lines.add("preset: streaming");
            });
    return String.join("\n", lines) + "\n";
  }

  /** The options of texts, labels and fields, lines of YAML below {@code input}. */
  public List<String> input() {
    List<String> lines = new ArrayList<>();
    if (!sample.texts().missing().isEmpty()) {
      lines.add("missing: " + Yaml.list(new TreeSet<>(sample.texts().missing())));
    }
    if (sample.texts().decimal() != '.') {
      lines.add("decimal: '%c'".formatted(sample.texts().decimal()));
    }
    if (!label.problem().isEmpty()) {
      lines.add("# %s.".formatted(label.problem()));
    }
    lines.addAll(label.options());
    lines.addAll(fields());
    return lines;
  }

  private List<String> fields() {
    List<String> lines = new ArrayList<>();
    lines.add("fields:");
    for (FieldProfile field : sample.fields()) {
      lines.add(line(field));
    }
    return lines;
  }

  private boolean proposesRows() {
    return sample.fields().stream()
        .filter(field -> !field.path().equals(label.path()))
        .filter(field -> !remarks.getOrDefault(field.path(), "").equals(SampledFile.NAMELESS))
        .map(this::proposed)
        .anyMatch(ProposedField::isIds);
  }

  private ProposedField proposed(FieldProfile field) {
    return ProposedField.of(field, sample.rows(), ids);
  }

  private String line(FieldProfile field) {
    ProposedField proposed = proposed(field);
    String path = Yaml.text(field.path());
    String remark = remarks.getOrDefault(field.path(), "");
    String rejected = rejections.of(field.path());
    if (field.path().equals(label.path())) {
      return line(
          "  - {path: %s, role: label}".formatted(path),
          label.problem(),
          remark,
          proposed.comment(),
          rejected);
    }
    String nameless = remark.equals(SampledFile.NAMELESS) ? remark : "";
    String omission = nameless.isEmpty() ? proposed.omission() : nameless;
    if (!omission.isEmpty()) {
      return "  # %s: %s"
          .formatted(
              path,
              joined(
                  nameless.isEmpty() ? remark : "", proposed.comment(), omission + "; left out"));
    }
    return line("  - {%s}".formatted(proposed.keys()), remark, proposed.comment(), rejected);
  }

  private static String line(String keys, String... comments) {
    String comment = joined(comments);
    String padding = " ".repeat(Math.max(1, COMMENT_COLUMN - keys.length()));
    return comment.isEmpty() ? keys : keys + padding + "# " + comment;
  }

  private static String joined(String... comments) {
    return String.join(", ", Stream.of(comments).filter(text -> !text.isEmpty()).toList());
  }
}
