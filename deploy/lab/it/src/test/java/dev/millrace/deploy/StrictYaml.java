package dev.millrace.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** YAML as classes that take every key, told to take none that they don't know. */
final class StrictYaml {

  private static final ObjectMapper YAML =
      new ObjectMapper(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .setAnnotationIntrospector(new RefusesUnknown());

  private StrictYaml() {}

  /** The documents of a file. */
  static List<JsonNode> documents(Path file) {
    try {
      return YAML.readerFor(JsonNode.class)
          .<JsonNode>readValues(Files.readString(file).strip() + "\n")
          .readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one document of a file. */
  static JsonNode document(Path file) {
    List<JsonNode> documents = documents(file);
    if (documents.size() != 1) {
      throw new IllegalArgumentException(file + " has " + documents.size() + " documents");
    }
    return documents.get(0);
  }

  static <T> T as(JsonNode document, Class<T> type) {
    try {
      return YAML.treeToValue(document, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The models of Kubernetes keep what they don't know, and those of the operator drop it. */
  private static final class RefusesUnknown extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
    }
  }
}
