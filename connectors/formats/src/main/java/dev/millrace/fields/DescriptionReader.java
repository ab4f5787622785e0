package dev.millrace.fields;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Reads the description of fields, strictly: a key that a field doesn't have is refused. */
final class DescriptionReader {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonNode list;
  private final ToIntFunction<String> dimensions;
  private final List<FeatureField> features = new ArrayList<>();
  private final List<LabelField> labels = new ArrayList<>();
  private FieldSource weight;
  private FieldSource id;
  private FieldSource timestamp;
  private TimeUnit timestampUnit = TimeUnit.MILLISECONDS;

  DescriptionReader(String json, ToIntFunction<String> dimensions) {
    this(tree(json), dimensions);
  }

  private DescriptionReader(JsonNode list, ToIntFunction<String> dimensions) {
    this.list = list;
    this.dimensions = dimensions;
    if (!list.isArray() || list.isEmpty()) {
      throw new IllegalArgumentException(
          "A list of fields is expected, such as [{path: amount, kind: number}]");
    }
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "It is no list of fields as JSON: %s, at character %s"
              .formatted(e.getOriginalMessage(), e.getLocation().getCharOffset()),
          e);
    }
  }

  static FieldsDescription ofCanonical(String json) {
    JsonNode node = tree(json);
    JsonNode sequence = node.path("sequence");
    return new DescriptionReader(node.path("fields"), TableDimensions.USUAL)
        .read(
            sequence.isMissingNode()
                ? null
                : new SequenceFields(
                    FieldPath.of(sequence.path("path").asText()),
                    sequence.path("steps").asInt(),
                    false),
            texts(node));
  }

  private static FieldTexts texts(JsonNode node) {
    List<String> missing = new ArrayList<>();
    node.path(FieldsDescription.MISSING).forEach(word -> missing.add(word.asText()));
    String decimal = node.path(FieldsDescription.DECIMAL).asText(".");
    return FieldTexts.of(missing, decimal.length() == 1 ? decimal.charAt(0) : 0);
  }

  FieldsDescription read(SequenceFields sequenceOrNull, FieldTexts texts) {
    for (int i = 0; i < list.size(); i++) {
      FieldKeys keys = new FieldKeys(list.get(i), i + 1);
      read(keys);
      keys.done();
    }
    return new FieldsDescription(
        features, labels, weight, id, timestamp, timestampUnit, sequenceOrNull, texts);
  }

  private void read(FieldKeys keys) {
    switch (keys.oneOf("role", List.of("feature", "label", "weight", "id", "timestamp"))) {
      case "label" -> labels.add(label(keys));
      case "weight" -> weight = single(keys, weight);
      case "id" -> id = single(keys, id);
      case "timestamp" -> {
        timestamp = single(keys, timestamp);
        timestampUnit = unit(keys);
      }
      default ->
          features.add(FeatureReader.read(keys, source(keys, keys.required("path")), dimensions));
    }
  }

  private static FieldSource single(FieldKeys keys, FieldSource earlierOrNull) {
    if (earlierOrNull != null) {
      throw keys.problem("\"%s\" has the same role already".formatted(earlierOrNull.path()));
    }
    return rejecting(keys, source(keys, keys.required("path")));
  }

  /** Only a number has something that stands in for it. */
  static FieldSource rejecting(FieldKeys keys, FieldSource source) {
    if (keys.has("missing") && !source.required()) {
      throw keys.wrong("missing", "reject, or not be there");
    }
    return source;
  }

  private static LabelField label(FieldKeys keys) {
    String rule = keys.text("rule").orElse(null);
    if (rule == null) {
      return new LabelField(rejecting(keys, source(keys, keys.required("path"))), null);
    }
    LabelRule read = attempt(keys, () -> LabelRule.of(rule));
    FieldSource source =
        rejecting(keys, source(keys, keys.text("path").orElse(read.path().toString())));
    if (!source.path().equals(read.path())) {
      throw keys.problem(
          "path is '%s' and its rule is about '%s'; they must agree"
              .formatted(source.path(), read.path()));
    }
    return new LabelField(source, read);
  }

  /** Reads what all fields have. */
  private static FieldSource source(FieldKeys keys, String path) {
    List<FieldPath> aliases = new ArrayList<>();
    if (keys.has("aliases")) {
      for (String alias : keys.texts("aliases")) {
        aliases.add(attempt(keys, () -> FieldPath.of(alias)));
      }
    }
    boolean rejects = keys.text("missing").orElse("").equals("reject");
    return new FieldSource(
        attempt(keys, () -> FieldPath.of(path)),
        aliases,
        keys.text("name").orElse(path),
        keys.text("input").orElse(""),
        rejects);
  }

  static TimeUnit unit(FieldKeys keys) {
    return keys.oneOf(
        "unit",
        List.of(
            TimeUnit.MILLISECONDS,
            TimeUnit.SECONDS,
            TimeUnit.MICROSECONDS,
            TimeUnit.NANOSECONDS,
            TimeUnit.DAYS));
  }

  private interface Reading<T> {
    T read();
  }

  private static <T> T attempt(FieldKeys keys, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw keys.problem(e.getMessage());
    }
  }
}
