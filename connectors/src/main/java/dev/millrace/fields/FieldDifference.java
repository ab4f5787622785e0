package dev.millrace.fields;

import java.util.List;
import java.util.Optional;

/** Tells in which field two descriptions differ. */
public final class FieldDifference {

  private FieldDifference() {}

  /**
   * The first field that differs, in words; empty where the descriptions are the same.
   *
   * @param found as {@link FieldsDescription#canonical} wrote it; empty where there are no fields
   * @param wanted the model's
   */
  public static Optional<String> between(String found, String wanted) {
    if (found.equals(wanted)) {
      return Optional.empty();
    }
    if (found.isEmpty() || wanted.isEmpty()) {
      return Optional.of(
          found.isEmpty()
              ? "there are arrays of numbers, where the model has named fields"
              : "there are named fields, where the model has arrays of numbers");
    }
    FieldsDescription first = FieldsDescription.ofCanonical(found);
    FieldsDescription second = FieldsDescription.ofCanonical(wanted);
    List<String> ours = forms(first);
    List<String> theirs = forms(second);
    for (int i = 0; i < Math.max(ours.size(), theirs.size()); i++) {
      String our = i < ours.size() ? ours.get(i) : "nothing";
      String their = i < theirs.size() ? theirs.get(i) : "nothing";
      if (!our.equals(their)) {
        FieldsDescription named = i < ours.size() ? first : second;
        return Optional.of(
            "the first that differs is \"%s\", which is %s, and the model has %s"
                .formatted(named.features().get(i).source().name(), our, their));
      }
    }
    return Optional.of(
        "the sequence is %s, and the model has %s"
            .formatted(
                first.sequence().map(Object::toString).orElse("none"),
                second.sequence().map(Object::toString).orElse("none")));
  }

  private static List<String> forms(FieldsDescription description) {
    return description.features().stream()
        .map(field -> FieldWriter.write(field).toString())
        .toList();
  }
}
