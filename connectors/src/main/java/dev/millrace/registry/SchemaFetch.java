package dev.millrace.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Gets schemas with all that they refer to. Used by one thread at a time. */
final class SchemaFetch {

  private static final JsonMapper JSON = new JsonMapper();

  /** What Confluent's API calls a schema that isn't there. */
  private static final int NO_SUCH_SCHEMA = 40403;

  private static final int MOST_REFERENCES = 1000;

  private final RegistryConnection connection;

  SchemaFetch(RegistryConnection connection) {
    this.connection = connection;
  }

  /**
   * A schema by its id.
   *
   * @throws UnusableSchemaException if there is none, or it refers to one that isn't there
   * @throws IOException if that can't be found out now, with a line that says why and what to do
   */
  SchemaTexts byId(int id) throws IOException, InterruptedException, UnusableSchemaException {
    String path = "/schemas/ids/" + id;
    RegistryConnection.Answer answer = connection.get(path);
    JsonNode body = json(answer.body(), path);
    if (!answer.found()) {
      if (body.path("error_code").asInt() == NO_SUCH_SCHEMA) {
        throw new UnusableSchemaException("the registry has no schema %s".formatted(id));
      }
      throw new IOException(
          ("The schema registry answered %s with status 404 and no error code %s; check its URL,"
                  + " which may lack a path such as /apis/ccompat/v7")
              .formatted(path, NO_SUCH_SCHEMA));
    }
    if (!body.path("schema").isTextual()) {
      throw new IOException(
          "The schema registry answered %s without a schema; check its URL".formatted(path));
    }
    Map<String, String> references = new LinkedHashMap<>();
    collect(body, references, new HashSet<>());
    return new SchemaTexts(
        body.path("schemaType").asText("AVRO"),
        references.values().stream().toList(),
        body.path("schema").asText());
  }

  /** Adds what a schema refers to, deepest first. */
  private void collect(JsonNode schema, Map<String, String> into, Set<String> met)
      throws IOException, InterruptedException, UnusableSchemaException {
    for (JsonNode reference : schema.path("references")) {
      String path =
          "/subjects/%s/versions/%s"
              .formatted(
                  URLEncoder.encode(reference.path("subject").asText(), UTF_8).replace("+", "%20"),
                  reference.path("version").asInt());
      if (!met.add(path)) {
        continue;
      }
      if (met.size() > MOST_REFERENCES) {
        throw new UnusableSchemaException(
            "it has more than %s references".formatted(MOST_REFERENCES));
      }
      RegistryConnection.Answer answer = connection.get(path);
      JsonNode body = json(answer.body(), path);
      if (!answer.found()) {
        throw new UnusableSchemaException(
            "it refers to version %s of %s, which the registry hasn't"
                .formatted(reference.path("version").asInt(), reference.path("subject").asText()));
      }
      collect(body, into, met);
      into.put(path, body.path("schema").asText());
    }
  }

  private static JsonNode json(byte[] body, String path) throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "The schema registry answered %s with what is no JSON; check its URL".formatted(path), e);
    }
  }
}
