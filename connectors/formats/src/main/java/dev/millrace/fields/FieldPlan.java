package dev.millrace.fields;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which fields of a record are wanted. A format finds them, and puts the value of each into {@link
 * FieldValues} at its index.
 *
 * @param fields of the record itself
 * @param sequence the array whose elements are a sequence's steps
 * @param stepFields of each step, with paths that begin in the element; a path without steps is the
 *     element itself
 * @param alternatives the paths of each field of the record itself: a value may be at any of them
 * @param lists the indices of fields of the record itself where an array is wanted whole: a format
 *     makes a {@linkplain FieldValues#setList list} of it
 */
public record FieldPlan(
    List<FieldPath> fields,
    Optional<FieldPath> sequence,
    List<FieldPath> stepFields,
    List<List<FieldPath>> alternatives,
    Set<Integer> lists)
    implements Serializable {

  public FieldPlan {
    fields = List.copyOf(fields);
    stepFields = List.copyOf(stepFields);
    alternatives = alternatives.stream().map(List::copyOf).toList();
    lists = Set.copyOf(lists);
  }

  /** Plans fields that have one path each. */
  public FieldPlan(
      List<FieldPath> fields, Optional<FieldPath> sequence, List<FieldPath> stepFields) {
    this(fields, sequence, stepFields, fields.stream().map(List::of).toList(), Set.of());
  }

  private Object writeReplace() {
    return new Form(fields, sequence.orElse(null), stepFields, alternatives, lists);
  }

  /** Holds a plan as it is serialized: an {@link Optional} can't be. */
  private record Form(
      List<FieldPath> fields,
      FieldPath sequenceOrNull,
      List<FieldPath> stepFields,
      List<List<FieldPath>> alternatives,
      Set<Integer> lists)
      implements Serializable {

    private Object readResolve() {
      return new FieldPlan(
          fields, Optional.ofNullable(sequenceOrNull), stepFields, alternatives, lists);
    }
  }
}
