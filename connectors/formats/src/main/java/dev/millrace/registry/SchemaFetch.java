package dev.millrace.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Excerpt;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Gets schemas with all that they refer to. Used by one thread at a time. */
final class SchemaFetch {

  private static final JsonMapper JSON = new JsonMapper();

  private static final int MOST_REFERENCES = 1000;
  private static final int MAX_MESSAGE_CHARACTERS = 200;

  private final RegistryConnection connection;

  /** A schema that another imports, under the name that it has there. */
  private record Reference(String name, String text) {}

  SchemaFetch(RegistryConnection connection) {
    this.connection = connection;
  }

  /**
   * A schema by its id.
   *
   * @throws UnusableSchemaException if there is none, or it refers to one that isn't there, or is
   *     too large
   * @throws RegistryException if the registry doesn't give it
   */
  SchemaTexts byId(int id) throws RegistryException, InterruptedException, UnusableSchemaException {
    String path = path(id);
    RegistryConnection.Answer answer = connection.get(path);
    if (!answer.isFound()) {
      if (answer.isNoSuchSchema()) {
        throw new UnusableSchemaException("the registry has no schema %s".formatted(id));
      }
      throw refused(answer, path);
    }
    JsonNode body = json(answer, path);
    if (!body.path("schema").isTextual()) {
      throw failed(path, "without a schema");
    }
    Map<String, Reference> references = new LinkedHashMap<>();
    collect(body, references, new HashSet<>(), body.path("schema").asText().length());
    return new SchemaTexts(
        body.path("schemaType").asText("AVRO"),
        references.values().stream().map(Reference::text).toList(),
        references.values().stream().map(Reference::name).toList(),
        body.path("schema").asText());
  }

  /** Whether the registry tells of an id, be it that there is no such schema. */
  boolean answersFor(int id) throws InterruptedException {
    try {
      RegistryConnection.Answer answer = connection.get(path(id));
      return answer.isFound()
          ? json(answer, path(id)).path("schema").isTextual()
          : answer.errorCode() > 0;
    } catch (RegistryException e) {
      return false;
    }
  }

  /** Whether it is there at least, for this login. */
  boolean answersAtItsRoot() throws InterruptedException {
    try {
      return connection.get("/").isFound();
    } catch (RegistryException e) {
      return false;
    }
  }

  private static String path(int id) {
    return "/schemas/ids/" + id;
  }

  /**
   * Adds what a schema refers to, deepest first.
   *
   * @return the characters of all schemas so far
   */
  private long collect(
      JsonNode schema, Map<String, Reference> into, Set<String> met, long charactersBefore)
      throws RegistryException, InterruptedException, UnusableSchemaException {
    long characters = charactersBefore;
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
      if (answer.isMissing()) {
        throw new UnusableSchemaException(
            "it refers to version %s of %s, which the registry hasn't"
                .formatted(reference.path("version").asInt(), reference.path("subject").asText()));
      }
      if (!answer.isFound()) {
        throw refused(answer, path);
      }
      JsonNode body = json(answer, path);
      String text = body.path("schema").asText();
      characters += text.length();
      if (characters > SchemaTexts.MOST_CHARACTERS) {
        throw new UnusableSchemaException(
            "with what it refers to it has more than %s characters"
                .formatted(SchemaTexts.MOST_CHARACTERS));
      }
      characters = collect(body, into, met, characters);
      into.put(path, new Reference(reference.path("name").asText(), text));
    }
    return characters;
  }

  private static RegistryException refused(RegistryConnection.Answer answer, String path) {
    int code = answer.errorCode();
    String message =
        answer.isMissing()
            ? ("The schema registry answered %s with status 404 and no error code %s; check its"
                    + " URL, which may lack a path such as /apis/ccompat/v7")
                .formatted(path, RegistryConnection.NO_SUCH_SCHEMA)
            : answer.problem(path);
    return new RegistryException(
        // A server of something else has pages that it hasn't, too.
        answer.isMissing() && code == 0
            ? RegistryException.Kind.FAILED
            : RegistryException.Kind.REFUSED,
        message,
        "the registry answers for it with status %s%s"
            .formatted(
                answer.status(),
                code == 0 ? "" : ", error code %s%s".formatted(code, said(answer))));
  }

  private static RegistryException failed(String path, String what) {
    return new RegistryException(
        RegistryException.Kind.FAILED,
        "The schema registry answered %s %s; check its URL".formatted(path, what),
        "the registry answers for it " + what);
  }

  private static JsonNode json(RegistryConnection.Answer answer, String path)
      throws RegistryException {
    try {
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw failed(path, "with what is no JSON");
    }
  }

  private static String said(RegistryConnection.Answer answer) {
    String message = answer.said();
    return message.isEmpty() ? "" : " (" + Excerpt.oneLine(message, MAX_MESSAGE_CHARACTERS) + ")";
  }
}
