package dev.millrace.cli.describe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The field that is probably the label.
 *
 * @param path of the field
 * @param options of the input that it needs, lines of YAML
 */
record ProposedLabel(String path, List<String> options) {

  private static final Set<String> NAMES =
      Set.of("label", "labels", "class", "target", "y", "outcome");

  private static final int MOST_CLASSES = 1000;
  private static final int MOST_NUMBERED = 50;

  static ProposedLabel of(List<FieldProfile> fields) {
    FieldProfile label =
        fields.stream()
            .filter(field -> NAMES.contains(lastName(field.path())))
            .findFirst()
            .orElse(fields.get(fields.size() - 1));
    return of(label);
  }

  static ProposedLabel of(FieldProfile label) {
    boolean classes =
        !label.hasManyWords()
            && label.words().size() > 1
            && (label.numbers() == 0
                ? label.words().size() <= MOST_CLASSES
                : label.areWhole() && label.words().size() <= MOST_NUMBERED);
    if (label.numbers() == 0 && !classes) {
      return new ProposedLabel(label.path(), doubtful(label));
    }
    if (!classes) {
      return new ProposedLabel(label.path(), List.of("target: regression"));
    }
    List<String> names = names(label);
    boolean numbered =
        IntStream.range(0, names.size()).allMatch(i -> names.get(i).equals(Integer.toString(i)));
    return new ProposedLabel(
        label.path(),
        List.of(numbered ? "outputs: " + names.size() : "classes: " + Yaml.list(names)));
  }

  /** Words are no numbers to predict, whatever else they are. */
  private static List<String> doubtful(FieldProfile label) {
    if (label.words().isEmpty()) {
      return List.of("# The label has no value here; choose another with --label.");
    }
    return label.words().size() == 1 && !label.hasManyWords()
        ? List.of(
            "# Only one class was seen; add the others.", "classes: " + Yaml.list(names(label)))
        : List.of(
            String.format(
                Locale.ROOT,
                "# The label has more than %,d words; choose another with --label, or list all"
                    + " classes.",
                MOST_CLASSES));
  }

  /** In the order of numbers, if they are such. */
  private static List<String> names(FieldProfile label) {
    List<String> names = new ArrayList<>(label.words().keySet());
    if (label.areNumbers()) {
      names.sort(Comparator.comparingDouble(Double::parseDouble));
    }
    return names;
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
