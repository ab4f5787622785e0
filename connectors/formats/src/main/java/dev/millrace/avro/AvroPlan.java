package dev.millrace.avro;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.PathTree;
import dev.millrace.fields.Targets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;

/**
 * Lays the wanted paths along a writer's schema. A field that the schema calls otherwise now is
 * found by the aliases that the schema gives it.
 */
final class AvroPlan {

  private static final int MOST_NODES = 100_000;

  private final Set<String> missing = new TreeSet<>();
  private final AvroNode root;

  // Needed for the making alone; they hold the schema.
  private SkipNodes skips = new SkipNodes();
  private int nodes;

  /**
   * Makes a plan.
   *
   * @throws IllegalArgumentException if the plan can't be followed in any schema, or takes too much
   *     in this one
   */
  AvroPlan(Schema writer, FieldPlan plan) {
    this.root = node(writer, PathTree.of(plan), FieldPath.ROOT);
    this.skips = null;
  }

  /** Reads a record of the schema. */
  AvroNode root() {
    return root;
  }

  /** The wanted paths that the schema hasn't. */
  Set<String> missing() {
    return missing;
  }

  private AvroNode node(Schema schema, PathTree wanted, FieldPath path) {
    // A path leads through each branch of each union on it, so that they multiply.
    if (++nodes > MOST_NODES) {
      throw new IllegalArgumentException(
          "the wanted fields may be at more than %s places in the schema, at %s among others"
              .formatted(MOST_NODES, path));
    }
    if (wanted == null) {
      return skips.of(schema);
    }
    Schema.Type type = schema.getType();
    if (wanted.elements() != null && type != Schema.Type.ARRAY && type != Schema.Type.UNION) {
      missing.add(path.toString());
    }
    return switch (type) {
      case UNION -> union(schema, wanted, path);
      case RECORD -> with(wanted, "a record", record(schema, wanted, path));
      case ARRAY -> with(wanted, "an array", array(schema, wanted, path));
      case MAP -> with(wanted, "a map", map(schema, wanted, path));
      default -> {
        wanted.children().keySet().forEach(step -> missing.add(path.then(step).toString()));
        yield ScalarNodes.of(schema, wanted.targets());
      }
    };
  }

  /** Says of fields that a number or a text was wanted of what they are. */
  private static AvroNode with(PathTree wanted, String what, AvroNode node) {
    Targets targets = wanted.targets();
    return targets.areSome()
        ? (in, into) -> {
          targets.setOther(into, what);
          node.read(in, into);
        }
        : node;
  }

  /** A path is missing if no branch has it. */
  private AvroNode union(Schema schema, PathTree wanted, FieldPath path) {
    Set<String> before = new TreeSet<>(missing);
    Set<String> everywhere = null;
    List<AvroNode> branches = new ArrayList<>();
    for (Schema branch : schema.getTypes()) {
      missing.clear();
      branches.add(node(branch, wanted, path));
      if (branch.getType() != Schema.Type.NULL) {
        if (everywhere == null) {
          everywhere = new TreeSet<>(missing);
        } else {
          everywhere.retainAll(missing);
        }
      }
    }
    missing.clear();
    missing.addAll(before);
    missing.addAll(everywhere == null ? Set.of() : everywhere);
    return NestedNodes.union(branches.toArray(AvroNode[]::new));
  }

  private AvroNode record(Schema schema, PathTree wanted, FieldPath path) {
    Map<Object, PathTree> left = new HashMap<>(wanted.children());
    List<AvroNode> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      PathTree child = left.remove(field.name());
      for (String alias : field.aliases()) {
        if (schema.getField(alias) == null) {
          child = PathTree.merged(child, left.remove(alias));
        }
      }
      fields.add(node(field.schema(), child, path.then(field.name())));
    }
    left.keySet().forEach(step -> missing.add(path.then(step).toString()));
    return NestedNodes.record(fields.toArray(AvroNode[]::new));
  }

  private AvroNode array(Schema schema, PathTree wanted, FieldPath path) {
    Schema element = schema.getElementType();
    if (wanted.elements() != null) {
      return NestedNodes.sequence(node(element, wanted.elements(), path));
    }
    Targets lists = wanted.lists();
    if (lists.areSome()) {
      wanted.children().keySet().forEach(step -> missing.add(path.then(step).toString()));
      return NestedNodes.list(lists, node(element, PathTree.ELEMENT, path));
    }
    Map<Integer, AvroNode> nodes = new HashMap<>();
    wanted
        .children()
        .forEach(
            (step, child) -> {
              if (step instanceof Integer place) {
                nodes.put(place, node(element, child, path.then(place)));
              } else {
                missing.add(path.then(step).toString());
              }
            });
    return NestedNodes.array(nodes, skips.of(element));
  }

  private AvroNode map(Schema schema, PathTree wanted, FieldPath path) {
    Schema value = schema.getValueType();
    List<String> names = new ArrayList<>();
    List<AvroNode> nodes = new ArrayList<>();
    wanted
        .children()
        .forEach(
            (step, child) -> {
              if (step instanceof String name) {
                names.add(name);
                nodes.add(node(value, child, path.then(name)));
              } else {
                missing.add(path.then(step).toString());
              }
            });
    return NestedNodes.map(
        names.toArray(String[]::new), nodes.toArray(AvroNode[]::new), skips.of(value));
  }
}
