package dev.millrace.fields;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Checks what fields of ids ask of a description. */
final class IdRules {

  private IdRules() {}

  /**
   * Checks the fields of ids.
   *
   * @param others the fields that become no features
   * @throws IllegalArgumentException if they don't go with each other, or with other fields
   */
  static void check(
      List<FeatureField> features, List<FieldSource> others, SequenceFields sequenceOrNull) {
    Map<String, IdFeature> tables = new HashMap<>();
    for (FeatureField field : features) {
      if (field instanceof IdFeature id) {
        requireNoSequence(id, sequenceOrNull);
        IdFeature first = tables.putIfAbsent(id.table(), id);
        requireSameRows(first == null ? id : first, id);
      }
      if (field instanceof IdsField list) {
        Stream.concat(features.stream().map(FeatureField::source), others.stream())
            .flatMap(FieldSource::paths)
            .forEach(path -> requireNotWithin(list, path));
      }
    }
  }

  private static void requireNoSequence(IdFeature field, SequenceFields sequenceOrNull) {
    if (sequenceOrNull != null) {
      throw new IllegalArgumentException(
          ("Field \"%s\" has ids, which sequences can't have; make it a category, or leave the"
                  + " sequence \"%s\" out")
              .formatted(field.source().name(), sequenceOrNull.path()));
    }
  }

  private static void requireSameRows(IdFeature one, IdFeature other) {
    if (one.dimension() != other.dimension()) {
      throw new IllegalArgumentException(
          ("Fields \"%s\" and \"%s\" share the table \"%s\" and have the dimensions %s and %s; give"
                  + " them the same dimension, or tables of their own")
              .formatted(
                  one.source().name(),
                  other.source().name(),
                  one.table(),
                  one.dimension(),
                  other.dimension()));
    }
  }

  /** A list is read whole, so nothing else finds its elements. */
  private static void requireNotWithin(IdsField list, FieldPath path) {
    list.source()
        .paths()
        .filter(whole -> path.startsWith(whole) && !path.equals(whole))
        .findFirst()
        .ifPresent(
            whole -> {
              throw new IllegalArgumentException(
                  "\"%s\" is a list of ids, and \"%s\" leads into it; leave one of them out"
                      .formatted(whole, path));
            });
  }
}
