package dev.millrace.model.torch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Optional;

/**
 * What an archive says of its model besides tensors and code: JSON. Others may write it, too, with
 * the shape alone, to tell what their archive is for.
 *
 * @param format of archives that Millrace writes; null in others
 * @param shape of the model's examples; null where it isn't told
 * @param iteration optimizer steps that the model has behind it
 * @param training how it learned; null where it isn't told
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ModelFacts(Integer format, ExampleShape shape, long iteration, Training training) {

  /** The name among the extra files. */
  static final String NAME = "millrace/model.json";

  static final int FORMAT = 1;

  static final ModelFacts NONE = new ModelFacts(null, null, 0, null);

  private static final JsonMapper MAPPER =
      StrictJson.mapper()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
          .build();

  /** Whether Millrace wrote them. */
  static boolean isOurs(Optional<byte[]> json) throws IOException {
    return read(json).format() != null;
  }

  /**
   * @param json empty where the archive has none
   * @throws IOException if they can't be read
   */
  static ModelFacts read(Optional<byte[]> json) throws IOException {
    if (json.isEmpty()) {
      return NONE;
    }
    ModelFacts facts;
    try {
      facts = MAPPER.readValue(json.get(), ModelFacts.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "its entry extra/%s can't be used: %s".formatted(NAME, StrictJson.reason(e)), e);
    }
    if (facts == null || (facts.format() != null && facts.format() != FORMAT)) {
      throw new IOException(
          "its entry extra/%s isn't of format %s, which this release reads"
              .formatted(NAME, FORMAT));
    }
    if (facts.iteration() < 0) {
      throw new IOException("its entry extra/%s says %s steps".formatted(NAME, facts.iteration()));
    }
    return facts;
  }

  byte[] toJson() throws IOException {
    return MAPPER.writeValueAsBytes(this);
  }
}
