package dev.millrace.kafka.models;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.StrictJson;
import java.io.IOException;

/**
 * Which slot of a {@link ModelTopic} holds a whole model, and what it must be like.
 *
 * @param version of the model
 * @param slot that its blocks are in
 * @param blocks number of them
 * @param bytes of the archive that they make up
 * @param sha256 of the archive, in hexadecimal
 * @param signature of the archive by its job's key; null where it wasn't signed
 * @param held whether a person has put the model back, and holds it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ModelManifest(
    int format,
    String version,
    String slot,
    int blocks,
    long bytes,
    String sha256,
    String signature,
    boolean held) {

  static final int FORMAT = 1;

  private static final int MOST_BYTES = 64 << 10;

  private static final JsonMapper MAPPER =
      StrictJson.mapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  static ModelManifest read(byte[] value) throws IOException {
    if (value.length > MOST_BYTES) {
      throw new IOException("The manifest has %s bytes, too many for one".formatted(value.length));
    }
    ModelManifest manifest = MAPPER.readValue(value, ModelManifest.class);
    if (manifest == null || manifest.format != FORMAT) {
      throw new IOException(
          "The manifest has format %s; this release reads %s"
              .formatted(manifest == null ? null : manifest.format, FORMAT));
    }
    if (manifest.version == null || manifest.slot == null || manifest.sha256 == null) {
      throw new IOException("The manifest lacks the version, the slot or the hash of a model");
    }
    try {
      ModelVersion.parse(manifest.version);
    } catch (IllegalArgumentException e) {
      throw new IOException("The manifest names no version: " + Reason.of(e), e);
    }
    return manifest;
  }

  byte[] write() {
    try {
      return MAPPER.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A manifest that is no JSON: " + this, e);
    }
  }
}
