package dev.millrace.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.WireFormat;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.PathTree;
import dev.millrace.fields.Targets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Lays the wanted paths along a message's descriptor. */
final class ProtobufPlan {

  static final int MAP_KEY = 1;
  static final int MAP_VALUE = 2;
  private static final int TAG_TYPE_BITS = 3;
  static final String WRAPPED_VALUE = "value";

  static final Set<String> TIMES = Set.of("google.protobuf.Timestamp", "google.protobuf.Duration");

  static final Set<String> WRAPPERS =
      Set.of(
          "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int64Value",
          "google.protobuf.UInt64Value",
          "google.protobuf.Int32Value",
          "google.protobuf.UInt32Value",
          "google.protobuf.BoolValue",
          "google.protobuf.StringValue",
          "google.protobuf.BytesValue");

  private final Set<String> missing = new TreeSet<>();
  private final MessageNode root;

  /**
   * Makes a plan.
   *
   * @throws IllegalArgumentException if it can't be followed in any message
   */
  ProtobufPlan(Descriptor message, FieldPlan plan) {
    this.root = message(message, PathTree.of(plan), FieldPath.ROOT);
  }

  /** Reads a whole value. */
  MessageNode root() {
    return root;
  }

  /** The wanted paths that the message hasn't. */
  Set<String> missing() {
    return missing;
  }

  private MessageNode message(Descriptor message, PathTree wanted, FieldPath path) {
    Map<FieldDescriptor, FieldNode> nodes = new LinkedHashMap<>();
    wanted
        .children()
        .forEach(
            (step, child) -> {
              FieldDescriptor field =
                  step instanceof String name ? message.findFieldByName(name) : null;
              if (field == null || field.getType() == FieldDescriptor.Type.GROUP) {
                missing.add(path.then(step).toString());
              } else {
                nodes.put(field, field(field, child, path.then(step)));
              }
            });
    for (FieldDescriptor field : message.getFields()) {
      OneofDescriptor oneof = field.getRealContainingOneof();
      if (oneof != null && oneof.getFields().stream().anyMatch(nodes::containsKey)) {
        nodes.putIfAbsent(field, FieldNodes.skipped());
      }
    }
    return new MessageNode(nodes);
  }

  private FieldNode field(FieldDescriptor field, PathTree wanted, FieldPath path) {
    if (field.isMapField()) {
      return map(field, wanted, path);
    }
    if (field.isRepeated()) {
      return repeated(field, wanted, path);
    }
    if (wanted.elements() != null) {
      missing.add(path.toString());
    }
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      wanted.children().keySet().forEach(step -> missing.add(path.then(step).toString()));
      return FieldNodes.scalar(field, wanted.targets());
    }
    return messageField(field, wanted, path);
  }

  /** Times and wrappers are values, unless a path leads into them. */
  private FieldNode messageField(FieldDescriptor field, PathTree wanted, FieldPath path) {
    Descriptor type = field.getMessageType();
    boolean isWhole = wanted.children().isEmpty();
    if (isWhole && TIMES.contains(type.getFullName())) {
      return FieldNodes.time(field, wanted.targets());
    }
    if (isWhole && WRAPPERS.contains(type.getFullName())) {
      FieldDescriptor value = type.findFieldByName(WRAPPED_VALUE);
      MessageNode node = new MessageNode(Map.of(value, FieldNodes.scalar(value, wanted.targets())));
      return FieldNodes.message(field, Targets.NONE, node);
    }
    return FieldNodes.message(field, wanted.targets(), message(type, wanted, path));
  }

  private FieldNode repeated(FieldDescriptor field, PathTree wanted, FieldPath path) {
    Map<Integer, FieldNodes.Element> elements = new HashMap<>();
    wanted
        .children()
        .forEach(
            (step, child) -> {
              if (step instanceof Integer place) {
                elements.put(place, element(field, child, path.then(place)));
              } else {
                missing.add(path.then(step).toString());
              }
            });
    Targets lists = wanted.lists();
    PathTree each = lists.areSome() ? PathTree.ELEMENT : wanted.elements();
    FieldNodes.Element steps = each == null ? null : element(field, each, path);
    return new RepeatedNode(field, wanted.targets(), lists, elements, steps);
  }

  private FieldNodes.Element element(FieldDescriptor field, PathTree wanted, FieldPath path) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      wanted.children().keySet().forEach(step -> missing.add(path.then(step).toString()));
      return FieldNodes.scalarElement(field, wanted.targets());
    }
    FieldNode node = messageField(field, wanted, path);
    int tag = field.getNumber() << TAG_TYPE_BITS | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    return (in, into) -> node.read(in, tag, into);
  }

  private FieldNode map(FieldDescriptor field, PathTree wanted, FieldPath path) {
    FieldDescriptor value = field.getMessageType().findFieldByNumber(MAP_VALUE);
    if (value == null || field.getMessageType().findFieldByNumber(MAP_KEY) == null) {
      throw new IllegalArgumentException(
          "its descriptors are wrong: the map %s has no keys or no values"
              .formatted(field.getFullName()));
    }
    Map<String, MessageNode> entries = new LinkedHashMap<>();
    wanted
        .children()
        .forEach(
            (step, child) ->
                entries.put(
                    step.toString(),
                    new MessageNode(Map.of(value, field(value, child, path.then(step))))));
    return new MapNode(field, wanted.targets(), entries);
  }
}
