package dev.millrace.model.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * Readers of JSON that belongs to a model, whoever wrote it. Text is refused that is nested deeper
 * than {@value #MOST_DEPTH} levels, names a field twice, or goes on behind its value: what is read
 * may be handed on to readers that recurse.
 */
public final class StrictJson {

  /** More than twice the depth of any model that is known. */
  public static final int MOST_DEPTH = 100;

  /** A description or a pointer; that of a job of ten thousand partitions has 3 MB. */
  public static final int MOST_DESCRIPTION_BYTES = 16 << 20;

  /** Below this length a tree of the text is small, whatever it says. */
  private static final int SMALL = 1 << 20;

  /** A token takes less than this in a tree or in what is made of one. */
  private static final long BYTES_PER_TOKEN = 96;

  /** Skims texts of any length, and keeps nothing of them. */
  private static final JsonFactory SKIMMER =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private StrictJson() {}

  /** A builder of a strict mapper, whose strings may be as long as Jackson's default. */
  public static JsonMapper.Builder mapper() {
    return mapper(StreamReadConstraints.DEFAULT_MAX_STRING_LEN);
  }

  /** A builder of a strict mapper of texts that may have long strings. */
  public static JsonMapper.Builder mapper(int mostCharacters) {
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // What others call their fields mustn't fill the table of names that a process keeps.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_DEPTH)
                    .maxStringLength(mostCharacters)
                    .build())
            .build();
    return JsonMapper.builder(factory).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** Says why a text was refused, in words of our own where it broke a limit. */
  public static String reason(JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) {
      return String.valueOf(e.getMessage()).contains("nesting depth")
          ? "it is nested deeper than %s levels".formatted(MOST_DEPTH)
          : "one of its names, numbers or texts is too long";
    }
    return Reason.of(e);
  }

  /**
   * Counts what a long text says before anything is made of it.
   *
   * @throws IOException if the text is no JSON, or nested too deeply
   * @throws InvalidModelException if the heap has no room for what it says
   */
  public static void requireRoom(byte[] json) throws IOException {
    if (json.length > SMALL) {
      try (JsonParser parser = SKIMMER.createParser(json)) {
        requireRoom(parser, json.length);
      }
    }
  }

  /** Counts what a long text says, as {@link #requireRoom(byte[])} does. */
  public static void requireRoom(String json) throws IOException {
    if (json.length() > SMALL) {
      try (JsonParser parser = SKIMMER.createParser(json)) {
        requireRoom(parser, json.length());
      }
    }
  }

  private static void requireRoom(JsonParser parser, int length) throws IOException {
    long tokens = 0;
    while (parser.nextToken() != null) {
      tokens++;
    }
    HeapRoom.require(tokens * BYTES_PER_TOKEN + length, "What its JSON says");
  }
}
