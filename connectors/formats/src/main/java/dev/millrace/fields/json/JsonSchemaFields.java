package dev.millrace.fields.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.SchemaField;
import dev.millrace.fields.SchemaField.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lists the fields that a JSON Schema names. Of what a schema can say, it knows properties, types,
 * enums, and references within the schema; all else is left to the records.
 */
final class JsonSchemaFields {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST = 10_000;
  private static final int MOST_LEVELS = 32;

  private final JsonNode schema;
  private final List<SchemaField> fields = new ArrayList<>();

  private JsonSchemaFields(JsonNode schema) {
    this.schema = schema;
  }

  /**
   * Lists them.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  static List<SchemaField> of(String text) {
    try {
      JsonSchemaFields fields = new JsonSchemaFields(JSON.readTree(text));
      fields.add(fields.schema, FieldPath.ROOT, false, 0);
      return fields.fields;
    } catch (IOException e) {
      throw new IllegalArgumentException("The JSON Schema is no JSON", e);
    }
  }

  private void add(JsonNode given, FieldPath path, boolean nullable, int level) {
    JsonNode node = resolved(given);
    Set<String> types = types(node);
    boolean mayBeNull = nullable || types.remove("null");
    for (String choice : List.of("oneOf", "anyOf")) {
      List<JsonNode> branches = new ArrayList<>();
      boolean isNull = false;
      for (JsonNode branch : node.path(choice)) {
        if (branch.path("type").asText().equals("null")) {
          isNull = true;
        } else {
          branches.add(branch);
        }
      }
      if (branches.size() == 1 && level < MOST_LEVELS) {
        add(branches.get(0), path, mayBeNull || isNull, level + 1);
        return;
      }
    }
    if (node.has("properties") && level < MOST_LEVELS) {
      addProperties(node, path, level);
    } else if (!path.steps().isEmpty() && fields.size() < MOST) {
      boolean other = types.contains("array") || types.contains("object");
      fields.add(new SchemaField(path, other ? Kind.OTHER : Kind.VALUE, words(node), mayBeNull));
    }
  }

  private void addProperties(JsonNode node, FieldPath path, int level) {
    Set<String> required = new HashSet<>();
    node.path("required").forEach(name -> required.add(name.asText()));
    node.path("properties")
        .properties()
        .forEach(
            property ->
                add(
                    property.getValue(),
                    path.then(property.getKey()),
                    !required.contains(property.getKey()),
                    level + 1));
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.startsWith("#/") ? schema.at(reference.substring(1)) : node;
  }

  private static Set<String> types(JsonNode node) {
    Set<String> types = new HashSet<>();
    JsonNode type = node.path("type");
    if (type.isTextual()) {
      types.add(type.asText());
    }
    type.forEach(one -> types.add(one.asText()));
    return types;
  }

  /** The words of an enum; none where one isn't a word. */
  private static List<String> words(JsonNode node) {
    List<String> words = new ArrayList<>();
    for (JsonNode word : node.path("enum")) {
      if (!word.isTextual() && !word.isNull()) {
        return List.of();
      }
      if (word.isTextual()) {
        words.add(word.asText());
      }
    }
    return words;
  }
}
