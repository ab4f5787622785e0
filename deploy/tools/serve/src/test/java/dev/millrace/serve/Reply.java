package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.client.ContentResponse;

/** An answer to a request. */
record Reply(ContentResponse response) {

  int status() {
    return response.getStatus();
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(response.getHeaders().get(name));
  }

  byte[] bytes() {
    return response.getContent();
  }

  String body() {
    return new String(bytes(), UTF_8);
  }

  JsonNode json() {
    try {
      return ServerUnderTest.JSON.readTree(bytes());
    } catch (IOException e) {
      throw new IllegalStateException("%s: no JSON: %s".formatted(status(), body()), e);
    }
  }

  String error() {
    return json().path("error").asText();
  }

  /** The elements of an output. */
  JsonNode data(String output) {
    for (JsonNode tensor : json().path("outputs")) {
      if (tensor.path("name").asText().equals(output)) {
        return tensor.path("data");
      }
    }
    throw new IllegalStateException("There is no output %s in %s".formatted(output, body()));
  }

  float[] floats(String output) {
    JsonNode data = data(output);
    float[] floats = new float[data.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = data.get(i).floatValue();
    }
    return floats;
  }
}
