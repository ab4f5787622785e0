package dev.millrace.fields;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects the paths that fields need, each once. */
final class PlanBuilder {

  private final SequenceFields sequenceOrNull;
  private final Map<FieldPath, Integer> ofRecord = new LinkedHashMap<>();
  private final Map<FieldPath, Integer> ofStep = new LinkedHashMap<>();
  private final List<List<FieldPath>> alternatives = new ArrayList<>();
  private final Set<Integer> lists = new HashSet<>();

  PlanBuilder(SequenceFields sequenceOrNull) {
    this.sequenceOrNull = sequenceOrNull;
  }

  PlannedField add(FieldSource source) {
    boolean step = FieldScopes.isOfStep(source, sequenceOrNull);
    List<FieldPath> paths = new ArrayList<>();
    paths.add(source.path());
    paths.addAll(source.aliases());
    if (!step) {
      alternatives.add(paths);
    }
    int[] indices =
        paths.stream()
            .map(path -> step ? path.after(sequenceOrNull.path()) : path)
            .mapToInt(path -> index(step ? ofStep : ofRecord, path))
            .toArray();
    return new PlannedField(source, step, indices);
  }

  /**
   * Adds a field whose value may be an array, which is wanted whole; it is of the record itself.
   */
  PlannedField addList(FieldSource source) {
    PlannedField field = add(source);
    for (int index : field.indices()) {
      lists.add(index);
    }
    return field;
  }

  private static int index(Map<FieldPath, Integer> paths, FieldPath path) {
    Integer known = paths.putIfAbsent(path, paths.size());
    return known == null ? paths.size() - 1 : known;
  }

  FieldPlan plan() {
    return new FieldPlan(
        List.copyOf(ofRecord.keySet()),
        Optional.ofNullable(sequenceOrNull).map(SequenceFields::path),
        List.copyOf(ofStep.keySet()),
        alternatives,
        lists);
  }
}
