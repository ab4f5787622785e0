package dev.millrace.fields;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths of a {@link FieldPlan} as a tree, for formats that walk along a schema: at each place
 * which values are wanted, and what is wanted further down.
 */
public final class PathTree {

  /** Wants of a list's element the element itself. */
  public static final PathTree ELEMENT = new PathTree();

  static {
    ELEMENT.fields.add(0);
  }

  private final List<Integer> fields = new ArrayList<>();

  /** Fields that take an array whole. */
  private final List<Integer> lists = new ArrayList<>();

  private final Map<Object, PathTree> children = new LinkedHashMap<>();
  private PathTree elements;

  private PathTree() {}

  /**
   * Makes the tree of a record.
   *
   * @throws IllegalArgumentException if a path leads into the sequence by a place: its elements are
   *     steps
   */
  public static PathTree of(FieldPlan plan) {
    PathTree root = new PathTree();
    root.add(plan.fields());
    plan.lists().stream().sorted().forEach(i -> root.at(plan.fields().get(i)).lists.add(i));
    plan.sequence()
        .ifPresent(
            path -> {
              PathTree place = root.at(path);
              if (!place.children.isEmpty()) {
                throw new IllegalArgumentException(
                    "The elements of %s are the steps of the sequence, so no path of the record leads"
                            .formatted(path)
                        + " into it; make it a field of the steps");
              }
              place.elements = new PathTree();
              place.elements.add(plan.stepFields());
            });
    return root;
  }

  private void add(List<FieldPath> paths) {
    for (int i = 0; i < paths.size(); i++) {
      at(paths.get(i)).fields.add(i);
    }
  }

  private PathTree at(FieldPath path) {
    PathTree place = this;
    for (Object step : path.steps()) {
      place = place.children.computeIfAbsent(step, any -> new PathTree());
    }
    return place;
  }

  /** Returns those fields whose value stands here. */
  public Targets targets() {
    return new Targets(fields);
  }

  /** Returns those of them that take the array here as a list of its elements. */
  public Targets lists() {
    return new Targets(lists);
  }

  /**
   * Returns what is wanted of a record's fields by their names, or of an array's elements by
   * places.
   */
  public Map<Object, PathTree> children() {
    return children;
  }

  /** Returns what is wanted of each step, where the array here is the sequence; otherwise null. */
  public PathTree elements() {
    return elements;
  }

  /** All that is wanted here or there; null where that is nothing. */
  public static PathTree merged(PathTree one, PathTree other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    PathTree merged = new PathTree();
    merged.fields.addAll(one.fields);
    merged.fields.addAll(other.fields);
    merged.lists.addAll(one.lists);
    merged.lists.addAll(other.lists);
    merged.children.putAll(one.children);
    other.children.forEach((step, tree) -> merged.children.merge(step, tree, PathTree::merged));
    merged.elements = merged(one.elements, other.elements);
    return merged;
  }
}
