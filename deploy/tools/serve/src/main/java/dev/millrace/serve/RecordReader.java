package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Reads one record, or an array of them, for one kind of model.
 *
 * <p>Not thread-safe.
 */
final class RecordReader {

  private static final String JSON = "json";

  private final ExampleShape shape;
  private final ExampleFormat format;
  private final int maxRows;
  private final Example example;

  private RecordReader(ExampleShape shape, ExampleFormat format, int maxRows) {
    this.shape = shape;
    this.format = format;
    this.maxRows = maxRows;
    this.example = new Example(shape);
  }

  /**
   * Makes a reader.
   *
   * @throws RefusedRequestException if a record alone doesn't say all that the model takes
   */
  static RecordReader of(ExampleShape shape, Envelope envelope, int maxRows)
      throws RefusedRequestException {
    if (shape.structure().isSequence() || shape.labelLags() > 0) {
      throw RefusedRequestException.bad(
          "The model takes %s, and a record is one example; send tensors to infer"
              .formatted(
                  shape.structure().isSequence()
                      ? "sequences"
                      : "the labels of the records before"));
    }
    return new RecordReader(shape, format(shape, envelope), maxRows);
  }

  private static ExampleFormat format(ExampleShape shape, Envelope envelope) {
    if (shape.columns().isPlain()) {
      return ExampleFormat.unlabelled(JSON, shape, FormatSettings.defaults());
    }
    RecordFeatures features =
        RecordFeatures.of(FieldsDescription.ofCanonical(shape.columns().description()), shape);
    return new FieldFormat(
        RecordFormats.named(JSON, envelope.around(features.plan()), Map.of()), features, envelope);
  }

  /**
   * Reads a request's body.
   *
   * @throws RefusedRequestException if it holds something else than records, or one that can't be
   *     an example, saying which and why
   */
  InferRequest read(byte[] body, int length) throws RefusedRequestException {
    List<byte[]> records = split(body, length);
    ExampleRows rows = new ExampleRows(shape, records.size());
    for (int row = 0; row < records.size(); row++) {
      example.reset();
      try {
        format.read(records.get(row), example);
      } catch (InvalidExampleException e) {
        throw RefusedRequestException.bad(
            "Record %s can't be an example: %s".formatted(row, e.getMessage()));
      }
      rows.add(example);
    }
    return rows.request(null, List.of());
  }

  /** Returns the bytes of each record, as they are. */
  private List<byte[]> split(byte[] body, int length) throws RefusedRequestException {
    List<byte[]> records = new ArrayList<>();
    try (JsonParser parser = RequestJson.parser(body, length)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_OBJECT) {
        records.add(record(parser, body));
      } else if (first == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw RefusedRequestException.bad(
                "Record %s is %s; send an object".formatted(records.size(), Tokens.say(parser)));
          }
          if (records.size() == maxRows) {
            throw new RefusedRequestException(
                HttpStatus.PAYLOAD_TOO_LARGE_413,
                "There are more than %s records; send them in several requests".formatted(maxRows));
          }
          records.add(record(parser, body));
        }
      }
      if (records.isEmpty()) {
        throw RefusedRequestException.bad(
            "The body holds no record; send one object, or an array of them");
      }
      if (parser.nextToken() != null) {
        throw RefusedRequestException.bad(
            "Behind the records comes %s; send several in one array".formatted(Tokens.say(parser)));
      }
      return records;
    } catch (IOException e) {
      throw RequestJson.refusal(e);
    }
  }

  private static byte[] record(JsonParser parser, byte[] body) throws IOException {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    return Arrays.copyOfRange(body, from, (int) parser.currentLocation().getByteOffset());
  }
}
