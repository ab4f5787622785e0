package dev.millrace.job.setup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A JSON Schema of files of options, for editors: which keys there are, nested, dotted or both, and
 * what their values are. Which options there are it is told.
 */
final class OptionsSchema {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String OWN_FORMAT = "^input\\.[^.]+\\..+$";

  private final Map<String, Setting<?>> settings = new TreeMap<>();
  private final ObjectNode definitions = JSON.createObjectNode();

  private OptionsSchema(List<Setting<?>> settings) {
    settings.forEach(setting -> this.settings.put(setting.key(), setting));
  }

  /** Returns the schema as {@code docs/reference/options.schema.json} holds it. */
  static String json(List<Setting<?>> settings) {
    try {
      ObjectNode schema = new OptionsSchema(settings).schema();
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private ObjectNode schema() {
    settings.forEach((key, setting) -> definitions.set(key, value(setting)));
    ObjectNode schema =
        JSON.createObjectNode()
            .put("$schema", "http://json-schema.org/draft-07/schema#")
            .put("title", "Options of a Millrace job");
    schema.setAll(keysAfter(""));
    schema.set("definitions", definitions);
    return schema;
  }

  /** Describes the object that holds all keys that begin so. */
  private ObjectNode keysAfter(String prefix) {
    ObjectNode node = JSON.createObjectNode().put("type", "object");
    ObjectNode properties = node.putObject("properties");
    for (String key : settings.keySet()) {
      if (key.startsWith(prefix)) {
        for (int dot = prefix.length(); (dot = key.indexOf('.', dot + 1)) >= 0; ) {
          String name = key.substring(prefix.length(), dot);
          properties.set(name, either(properties.get(name), nested(key.substring(0, dot + 1))));
        }
        String name = key.substring(prefix.length());
        properties.set(name, either(properties.get(name), reference(key)));
      }
    }
    allowWhatOthersJudge(node, prefix);
    return node;
  }

  /** A key may have a value, or begin other keys. */
  private static JsonNode either(JsonNode knownOrNull, ObjectNode other) {
    if (knownOrNull == null || knownOrNull.equals(other)) {
      return other;
    }
    if (knownOrNull.has("anyOf")) {
      return knownOrNull;
    }
    ObjectNode either = JSON.createObjectNode();
    either.putArray("anyOf").add(knownOrNull).add(other);
    return either;
  }

  private ObjectNode nested(String prefix) {
    if (!definitions.has(prefix)) {
      // Known before it is made: it is asked for again meanwhile.
      definitions.set(prefix, JSON.createObjectNode());
      definitions.set(prefix, keysAfter(prefix));
    }
    return reference(prefix);
  }

  private static ObjectNode reference(String name) {
    return JSON.createObjectNode().put("$ref", "#/definitions/" + name);
  }

  /** Kafka's keys, Flink's, and those of a format of one's own are in no list of ours. */
  private static void allowWhatOthersJudge(ObjectNode node, String prefix) {
    if (prefix.isEmpty()) {
      ObjectNode patterns = node.putObject("patternProperties");
      for (String other : JobOptions.PASSED_ON) {
        patterns.set("^" + other.replace(".", "\\."), JSON.createObjectNode());
      }
      patterns.set(OWN_FORMAT, JSON.createObjectNode());
      ObjectNode properties = (ObjectNode) node.get("properties");
      for (String other : List.of("flink", "extension")) {
        properties.putObject(other).put("type", "object");
      }
      node.put("additionalProperties", false);
    } else if (prefix.equals(KafkaOptions.PREFIX)) {
      node.put("additionalProperties", true);
    } else if (prefix.equals("input.")) {
      node.putObject("additionalProperties").put("type", "object");
    } else {
      node.put("additionalProperties", false);
    }
  }

  private static ObjectNode value(Setting<?> setting) {
    Range<?> range = setting.range();
    ObjectNode value =
        JSON.createObjectNode()
            .put("description", "%s (%s)".formatted(setting.description(), range.text()));
    if (setting.key().equals(InputOptions.FIELDS.key())) {
      types(value, "array", "string");
      ObjectNode field = value.putObject("items").put("type", "object");
      field.putArray("required").add("path");
      return value;
    }
    switch (range.form()) {
      case WHOLE_NUMBER -> value.put("type", "integer");
      case NUMBER -> value.put("type", "number");
      case TRUE_OR_FALSE -> value.put("type", "boolean");
      case TEXT -> {
        if (range.choices().isEmpty()) {
          types(value, "string", "number", "boolean");
        } else {
          range.choices().forEach(value.putArray("enum")::add);
        }
      }
      case MAP -> {
        types(value, "object");
        value.put("additionalProperties", true);
      }
      case LIST -> {
        types(value, "array", "string", "number", "boolean");
        if (!range.choices().isEmpty()) {
          range.choices().forEach(value.putObject("items").putArray("enum")::add);
        }
      }
    }
    String standard = OptionText.defaultOf(setting);
    if (!standard.isEmpty()) {
      value.put("default", standard);
    }
    return value;
  }

  private static void types(ObjectNode value, String... types) {
    ArrayNode all = value.putArray("type");
    List.of(types).forEach(all::add);
  }
}
