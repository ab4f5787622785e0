package dev.millrace.cli.describe;

import dev.millrace.fields.FieldTexts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The field that is probably the label.
 *
 * @param path of the field
 * @param options of the input that it needs, lines of YAML
 * @param problem why nothing can be learned of it, with what to do; empty where it can be
 */
record ProposedLabel(String path, List<String> options, String problem) {

  private static final Set<String> NAMES =
      Set.of("label", "labels", "class", "target", "y", "outcome");

  private static final int MOST_CLASSES = 1000;
  private static final int MOST_NUMBERED = 50;

  /**
   * Guesses a label: a field that is called so, else the last one that has values.
   *
   * @param nameless paths of columns without a name
   */
  static ProposedLabel of(List<FieldProfile> fields, Set<String> nameless, FieldTexts texts) {
    FieldProfile last =
        fields.stream()
            .filter(field -> !nameless.contains(field.path()))
            .filter(field -> field.present() > 0 && !field.hasOthers())
            .reduce((one, other) -> other)
            .orElse(fields.get(fields.size() - 1));
    return of(
        fields.stream()
            .filter(field -> NAMES.contains(lastName(field.path())))
            .findFirst()
            .orElse(last),
        texts);
  }

  static ProposedLabel of(FieldProfile label, FieldTexts texts) {
    if (label.symbols().size() > 1) {
      return new ProposedLabel(label.path(), List.of("classes: " + Yaml.list(label.symbols())), "");
    }
    boolean number = label.areMostlyNumbers();
    if (!number && (label.hasManyWords() || label.words().size() > MOST_CLASSES)) {
      String what =
          label.hasLongWords()
              ? "texts of more than 256 characters"
              : String.format(Locale.ROOT, "more than %,d words", MOST_CLASSES);
      return useless(
          label, "the label has " + what + "; choose another with --label, or list all classes");
    }
    List<String> names = label.hasManyWords() ? List.of() : names(label, texts);
    boolean regression =
        number && !(label.areWhole() && !names.isEmpty() && names.size() <= MOST_NUMBERED);
    if (regression && names.size() != 1) {
      return new ProposedLabel(label.path(), List.of("target: regression"), "");
    }
    if (names.size() < 2) {
      return names.isEmpty()
          ? useless(label, "the label has no value here; choose another with --label")
          : new ProposedLabel(
              label.path(),
              List.of("classes: " + Yaml.list(names)),
              "only one class was seen, %s; add the others, or choose another label with --label"
                  .formatted(Yaml.shown(names.get(0))));
    }
    boolean numbered =
        IntStream.range(0, names.size()).allMatch(i -> names.get(i).equals(Integer.toString(i)));
    return new ProposedLabel(
        label.path(),
        List.of(numbered ? "outputs: " + names.size() : "classes: " + Yaml.list(names)),
        "");
  }

  private static ProposedLabel useless(FieldProfile label, String problem) {
    return new ProposedLabel(label.path(), List.of(), problem);
  }

  /**
   * Names of classes: words that can be such, and one text for each number; in the order of
   * numbers, if they are such.
   */
  private static List<String> names(FieldProfile label, FieldTexts texts) {
    Map<Object, String> names = new LinkedHashMap<>();
    for (String word : label.words().keySet()) {
      double number = texts.number(word);
      if (!Double.isNaN(number)) {
        names.merge(
            number + 0.0, word, (one, other) -> one.length() <= other.length() ? one : other);
      } else if (!word.isEmpty() && word.equals(word.strip())) {
        names.put(word, word);
      }
    }
    List<String> ordered = new ArrayList<>(names.values());
    if (label.areNumbers()) {
      ordered.sort(Comparator.comparingDouble(texts::number));
    }
    return ordered;
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
