package dev.millrace.job.setup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.job.options.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class OptionsSchemaTest {

  private static final Path SCHEMA = Path.of("..", "docs", "reference", "options.schema.json");

  private final JsonNode schema = read();

  private static String made() {
    return OptionsSchema.json(MillraceOptions.settings().toList());
  }

  private static JsonNode read() {
    try {
      return new ObjectMapper().readTree(made());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void thePublishedSchemaIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("millrace.remake")) {
      Files.writeString(SCHEMA, made());
    }

    assertThat(SCHEMA)
        .as("docs/reference/options.schema.json is stale: run this with -Dmillrace.remake=true")
        .usingCharset(UTF_8)
        .hasContent(made());
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.job.setup.MillraceOptions#settings")
  void everyOptionIsFoundNestedAndDotted(Setting<?> setting) {
    JsonNode value = schema.at("/definitions").get(setting.key());
    String[] names = setting.key().split("\\.", -1);
    JsonNode nested = schema;
    for (int i = 0; i < names.length - 1; i++) {
      nested = keys(nested.get("properties").get(names[i]));
    }

    assertThat(forms(schema.get("properties").get(setting.key()))).contains(value);
    assertThat(forms(nested.get("properties").get(names[names.length - 1]))).contains(value);
  }

  @ParameterizedTest
  @MethodSource("shippedFiles")
  void theShippedFilesHaveNoKeyThatEditorsWouldMark(Path file) throws IOException {
    Map<String, Object> options =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));

    assertKnown(options, schema);
  }

  static Stream<Path> shippedFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "deploy", "conf"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).toList().stream();
    }
  }

  private void assertKnown(Map<?, ?> options, JsonNode node) {
    options.forEach(
        (key, value) -> {
          String name = key.toString();
          JsonNode property = node.get("properties").get(name);
          boolean others =
              node.path("additionalProperties").asBoolean()
                  || Stream.of("kafka.", "flink.").anyMatch(name::startsWith);
          if (property == null) {
            assertThat(others).as(name).isTrue();
          } else if (value instanceof Map<?, ?> nested && !takesAnyKey(property)) {
            assertKnown(nested, keys(property));
          }
        });
  }

  private boolean takesAnyKey(JsonNode node) {
    return forms(node).anyMatch(form -> form.path("additionalProperties").asBoolean());
  }

  /** Returns that form of a value which has keys of its own. */
  private JsonNode keys(JsonNode node) {
    return forms(node).filter(form -> form.has("properties")).findFirst().orElseThrow();
  }

  /** Returns the one or two forms of a value. */
  private Stream<JsonNode> forms(JsonNode node) {
    Stream<JsonNode> all = node.has("anyOf") ? node.get("anyOf").valueStream() : Stream.of(node);
    return all.map(
        form ->
            schema
                .get("definitions")
                .get(form.get("$ref").asText().substring("#/definitions/".length())));
  }
}
