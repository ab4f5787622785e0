package dev.millrace.model.shape;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.StrictJson;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Compares the fields that a model was trained with and those that it is to be used with: whatever
 * is different, features would mean something else than what it has learned. Where records have a
 * field, and how they write it, isn't: paths and aliases may differ as long as the field's name is
 * the same, and so may the words for missing values, the decimal sign, and how a list is written.
 */
public final class KeptFields {

  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  /** How records write values: which words say that one is missing, and the decimal sign. */
  private static final List<String> WRITTEN = List.of("missing", "decimal");

  /** Where a record has a field, and how it writes a list of ids. */
  private static final List<String> OF_FIELDS = List.of("path", "aliases", "separator", "most");

  private KeptFields() {}

  /**
   * Says which field differs first.
   *
   * @param kept the fields of the model, see {@link FeatureColumns#description}
   * @param own those of the examples
   * @return in words; empty if none does
   */
  public static Optional<String> difference(String kept, String own) {
    if (kept.equals(own)) {
      return Optional.empty();
    }
    if (kept.isEmpty() || own.isEmpty()) {
      return Optional.of(
          kept.isEmpty()
              ? "the model's features are an array of numbers, and the examples have named fields"
              : "the model's features are made of named fields, and the examples have none");
    }
    return difference(tree(kept), tree(own));
  }

  /**
   * Checks that the fields are the model's own.
   *
   * @param origin of the model, which begins the message
   * @throws InvalidModelException if a field differs, naming it
   */
  public static void require(String kept, String own, String origin) {
    difference(kept, own)
        .ifPresent(
            difference -> {
              throw new InvalidModelException(
                  "%s was trained with other fields: %s. Give the fields that it was trained with, or"
                          .formatted(origin, difference)
                      + " train a new model");
            });
  }

  /** A description as a tree; what is no JSON is a text. */
  public static JsonNode tree(String description) {
    try {
      return MAPPER.readTree(description);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(description);
    }
  }

  private static Optional<String> difference(JsonNode kept, JsonNode own) {
    if (withoutPlaces(kept).equals(withoutPlaces(own))) {
      return Optional.empty();
    }
    JsonNode keptFields = kept.path("fields");
    JsonNode ownFields = own.path("fields");
    for (int i = 0; i < Math.max(keptFields.size(), ownFields.size()); i++) {
      JsonNode keptField = keptFields.path(i);
      JsonNode ownField = ownFields.path(i);
      if (!withoutPlace(keptField).equals(withoutPlace(ownField))) {
        return Optional.of(
            "field %s is %s there, and %s here".formatted(i + 1, say(keptField), say(ownField)));
      }
    }
    return Optional.of("%s there, and %s here".formatted(rest(kept, own), rest(own, kept)));
  }

  private static JsonNode withoutPlaces(JsonNode description) {
    JsonNode copy = description.deepCopy();
    if (copy.path("fields") instanceof ArrayNode fields) {
      for (int i = 0; i < fields.size(); i++) {
        fields.set(i, withoutPlace(fields.get(i)));
      }
    }
    if (copy instanceof ObjectNode object) {
      object.remove(WRITTEN);
    }
    return copy;
  }

  /** A field that has no name is known by its path alone. */
  private static JsonNode withoutPlace(JsonNode field) {
    return field.has("name") ? ((ObjectNode) field.deepCopy()).without(OF_FIELDS) : field;
  }

  private static String say(JsonNode field) {
    return field.isMissingNode() ? "none" : name(field) + field;
  }

  private static String name(JsonNode field) {
    JsonNode name = field.path("name").isMissingNode() ? field.path("path") : field.path("name");
    return name.isMissingNode() ? "" : "\"%s\" ".formatted(name.asText());
  }

  /** The first part besides the fields that the other doesn't have as it is. */
  private static String rest(JsonNode one, JsonNode other) {
    for (Iterator<String> names = one.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!one.get(name).equals(other.path(name))) {
        return "the %s is %s".formatted(name, one.get(name));
      }
    }
    return one.isValueNode() ? one.toString() : "nothing more";
  }
}
