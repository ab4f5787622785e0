package dev.millrace.fields;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Which fields belong to a record, and which to each step of its sequence. */
final class FieldScopes {

  private FieldScopes() {}

  /** Whether a field belongs to each step: its path goes through the sequence's. */
  static boolean isOfStep(FieldSource source, SequenceFields sequenceOrNull) {
    return sequenceOrNull != null && source.path().startsWith(sequenceOrNull.path());
  }

  /**
   * @throws IllegalArgumentException if fields and sequence don't go together
   */
  static void check(
      List<FeatureField> features,
      List<LabelField> labels,
      FieldSource weightOrNull,
      FieldSource idOrNull,
      FieldSource timestampOrNull,
      SequenceFields sequenceOrNull) {
    if (sequenceOrNull == null) {
      return;
    }
    if (features.stream().noneMatch(field -> isOfStep(field.source(), sequenceOrNull))) {
      throw new IllegalArgumentException(
          "No feature's path begins with \"%s\", the path of the sequence"
              .formatted(sequenceOrNull.path()));
    }
    Stream.of(weightOrNull, idOrNull, timestampOrNull)
        .filter(Objects::nonNull)
        .filter(source -> isOfStep(source, sequenceOrNull))
        .forEach(
            source -> {
              throw new IllegalArgumentException(
                  "\"%s\" is in the sequence; weight, id and timestamp belong to the whole record"
                      .formatted(source.path()));
            });
    for (LabelField label : labels) {
      if (sequenceOrNull.labelPerStep() && !isOfStep(label.source(), sequenceOrNull)) {
        throw new IllegalArgumentException(
            "The label \"%s\" isn't in the sequence \"%s\", and each step has a label"
                .formatted(label.source().path(), sequenceOrNull.path()));
      }
    }
    Stream.concat(
            features.stream().map(FeatureField::source), labels.stream().map(LabelField::source))
        .forEach(source -> checkAliases(source, sequenceOrNull));
    checkSteps(features, labels, sequenceOrNull);
  }

  /** A place that follows the sequence's path is one in each step, not the step of that place. */
  private static void checkSteps(
      List<FeatureField> features, List<LabelField> labels, SequenceFields sequence) {
    List<FieldPath> paths =
        Stream.concat(
                features.stream().map(FeatureField::source),
                labels.stream().map(LabelField::source))
            .filter(source -> isOfStep(source, sequence))
            .flatMap(source -> Stream.concat(Stream.of(source.path()), source.aliases().stream()))
            .toList();
    List<FieldPath> places =
        paths.stream().filter(path -> beginsWithPlace(path.after(sequence.path()))).toList();
    if (!places.isEmpty() && places.size() < paths.size()) {
      throw new IllegalArgumentException(
          ("\"%s\" is a place in each step of \"%s\", which is for steps that are arrays; no field"
                  + " can be that of one step alone")
              .formatted(places.get(0), sequence.path()));
    }
  }

  private static boolean beginsWithPlace(FieldPath path) {
    return !path.steps().isEmpty() && path.steps().get(0) instanceof Integer;
  }

  private static void checkAliases(FieldSource source, SequenceFields sequence) {
    for (FieldPath alias : source.aliases()) {
      if (alias.startsWith(sequence.path()) != source.path().startsWith(sequence.path())) {
        throw new IllegalArgumentException(
            "\"%s\" and its alias \"%s\" aren't both in the sequence \"%s\""
                .formatted(source.path(), alias, sequence.path()));
      }
    }
  }
}
