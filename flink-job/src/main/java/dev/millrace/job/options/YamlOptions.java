package dev.millrace.job.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Options as a YAML file has them: keys nested, dotted, or both. */
final class YamlOptions {

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              // Or YAML 1.1 turns "on" and "off" into true and false.
              .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
              .build());

  private final Path file;
  private final Map<String, String> options = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private YamlOptions(Path file) {
    this.file = file;
  }

  /**
   * @throws InvalidOptionsException if the file can't be read, or has a key without a value or
   *     twice
   */
  static Map<String, String> read(Path file) {
    YamlOptions reader = new YamlOptions(file);
    reader.flatten("", parse(file));
    if (!reader.problems.isEmpty()) {
      throw new InvalidOptionsException(reader.problems);
    }
    return reader.options;
  }

  private static JsonNode parse(Path file) {
    try {
      JsonNode root = YAML.readTree(Files.readString(file));
      if (root.isObject() || root.isMissingNode() || root.isNull()) {
        return root;
      }
      throw failure(file, "it must hold keys and values, such as batch.size: 32");
    } catch (NoSuchFileException e) {
      throw failure(file, "there is no such file");
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw failure(file, where + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw failure(file, e.toString());
    }
  }

  private static InvalidOptionsException failure(Path file, String reason) {
    return new InvalidOptionsException(
        List.of("The options in %s can't be read: %s".formatted(file, reason)));
  }

  private void flatten(String prefix, JsonNode node) {
    node.properties()
        .forEach(
            entry -> {
              String key = prefix + entry.getKey();
              JsonNode value = entry.getValue();
              if (value.isObject()) {
                flatten(key + ".", value);
              } else if (value.isNull() || (value.isTextual() && value.asText().isEmpty())) {
                problems.add("%s has no value in %s".formatted(key, file));
              } else if (options.put(key, text(value)) != null) {
                problems.add("%s is set twice in %s".formatted(key, file));
              }
            });
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? StreamSupport.stream(value.spliterator(), false)
            .map(element -> quoted(element.asText()))
            .collect(Collectors.joining(";"))
        : value.asText();
  }

  /** As Flink reads list elements: quoted where they hold its separator or a quote. */
  private static String quoted(String element) {
    return element.matches(".*[;'\"].*") ? "'" + element.replace("'", "''") + "'" : element;
  }
}
