package dev.millrace.example;

import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Makes the bytes of JSON that stands for a record in another encoding. A few bytes there may stand
 * for a long name each, so it ends at a limit.
 */
public final class JsonBytes {

  /** About what Kafka takes, unless it is told otherwise. */
  private static final int MOST = 1_000_000;

  private static final int MOST_SAID = 200;

  private JsonBytes() {}

  /** Writes an object. */
  @FunctionalInterface
  public interface Content {

    /** Writes one object, whole. */
    void write(JsonGenerator out) throws IOException, InvalidExampleException;
  }

  /**
   * Returns the bytes of an object.
   *
   * @throws IOException if the content throws it
   * @throws InvalidExampleException if it is too long, or has a name twice
   */
  public static byte[] of(Content content) throws IOException, InvalidExampleException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = JsonObjects.writer(new Limit(bytes))) {
      out.enable(JsonGenerator.Feature.STRICT_DUPLICATE_DETECTION);
      content.write(out);
    } catch (JsonGenerationException e) {
      // It has the name that is there twice, whatever that is.
      throw new InvalidExampleException(Excerpt.oneLine(e.getOriginalMessage(), MOST_SAID));
    }
    return bytes.toByteArray();
  }

  private static final class Limit extends FilterOutputStream {

    private int left = MOST;

    Limit(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      left -= length;
      if (left < 0) {
        throw new JsonGenerationException(
            "more than %s bytes as JSON".formatted(MOST), (JsonGenerator) null);
      }
      out.write(bytes, from, length);
    }
  }
}
