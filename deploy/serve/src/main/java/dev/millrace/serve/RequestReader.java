package dev.millrace.serve;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.millrace.model.ExampleShape;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads requests for one kind of model from JSON. What a request takes of memory is bounded by the
 * length of its body and by the rows that it may have.
 *
 * <p>Immutable: any thread may use it.
 */
final class RequestReader {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build())
          .build();

  private final Signature signature;
  private final int maxRows;

  RequestReader(Signature signature, int maxRows) {
    this.signature = signature;
    this.maxRows = maxRows;
  }

  /**
   * Reads a request's body.
   *
   * @throws RefusedRequestException if it isn't a request for such a model
   */
  InferRequest read(byte[] body) throws RefusedRequestException {
    try (JsonParser parser = JSON.createParser(body)) {
      InferRequest request = read(parser);
      if (parser.nextToken() != null) {
        throw RefusedRequestException.bad(
            "Behind the request's JSON comes %s; send one object".formatted(Tokens.say(parser)));
      }
      return request;
    } catch (JacksonException e) {
      JsonLocation at = e.getLocation();
      throw RefusedRequestException.bad(
          "The body is no JSON%s: %s"
              .formatted(
                  at == null
                      ? ""
                      : " at line %s, column %s".formatted(at.getLineNr(), at.getColumnNr()),
                  e.getOriginalMessage()));
    } catch (IOException e) {
      throw RefusedRequestException.bad("The body is no JSON: %s".formatted(e.getMessage()));
    }
  }

  private InferRequest read(JsonParser parser) throws IOException, RefusedRequestException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw RefusedRequestException.bad(
          "The body is %s; it must be an object with inputs".formatted(Tokens.say(parser)));
    }
    String id = null;
    Tensor features = null;
    Tensor words = null;
    List<OutputTensor> outputs = signature.outputs();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "id" -> id = Tensor.text(parser, "id");
        case "inputs" -> {
          for (Tensor input : inputs(parser)) {
            switch (input.name()) {
              case Signature.FEATURES -> features = once(features, input);
              case Signature.WORDS -> words = once(words, input);
              default -> throw unknown(input);
            }
          }
        }
        case "outputs" -> outputs = outputs(parser);
        default -> parser.skipChildren();
      }
    }
    return request(id, features, words, outputs);
  }

  private RefusedRequestException unknown(Tensor input) {
    return RefusedRequestException.bad(
        "%s.name is \"%s\"; the model takes %s"
            .formatted(
                input.where(),
                Tokens.shorten(input.name()),
                signature.takesWords() ? "features and words" : "features"));
  }

  private static Tensor once(Tensor before, Tensor input) throws RefusedRequestException {
    if (before != null) {
      throw RefusedRequestException.bad(
          "%s.name is \"%s\", as that of %s; give each input once"
              .formatted(input.where(), input.name(), before.where()));
    }
    return input;
  }

  private static List<Tensor> inputs(JsonParser parser)
      throws IOException, RefusedRequestException {
    requireArray(parser, "inputs");
    List<Tensor> inputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      inputs.add(Tensor.read(parser, "inputs[%s]".formatted(inputs.size())));
    }
    return inputs;
  }

  /** Those that are asked for by name, or all. */
  private List<OutputTensor> outputs(JsonParser parser)
      throws IOException, RefusedRequestException {
    requireArray(parser, "outputs");
    List<OutputTensor> outputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String where = "outputs[%s]".formatted(outputs.size());
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw RefusedRequestException.bad(
            "%s is %s; it must be an object with name".formatted(where, Tokens.say(parser)));
      }
      OutputTensor output = null;
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("name")) {
          output = output(Tensor.text(parser, where + ".name"), where);
        } else {
          parser.skipChildren();
        }
      }
      if (output == null || outputs.contains(output)) {
        throw RefusedRequestException.bad(
            "%s names %s; name each output once"
                .formatted(where, output == null ? "none" : "\"" + output.name() + "\" again"));
      }
      outputs.add(output);
    }
    return outputs.isEmpty() ? signature.outputs() : List.copyOf(outputs);
  }

  private OutputTensor output(String name, String where) throws RefusedRequestException {
    return signature
        .output(name)
        .orElseThrow(
            () ->
                RefusedRequestException.bad(
                    "%s.name is \"%s\"; the model gives %s"
                        .formatted(
                            where,
                            Tokens.shorten(name),
                            String.join(", ", signature.outputNames()))));
  }

  private static void requireArray(JsonParser parser, String where)
      throws IOException, RefusedRequestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw RefusedRequestException.bad(
          "%s is %s; it must be an array".formatted(where, Tokens.say(parser)));
    }
  }

  private InferRequest request(String id, Tensor features, Tensor words, List<OutputTensor> outputs)
      throws RefusedRequestException {
    if (features == null) {
      throw RefusedRequestException.bad("inputs has no \"features\"; the model takes them");
    }
    if ((words != null) != signature.takesWords()) {
      throw RefusedRequestException.bad(
          signature.takesWords()
              ? "inputs has no \"words\"; the model takes them"
              : "inputs has \"words\"; the model takes features alone");
    }
    boolean mayMiss = !signature.shape().columns().isPlain();
    require(features, signature.featuresShape(), Datatype.FP32, mayMiss);
    int rows = features.shape()[0];
    int steps = signature.shape().structure().isSequence() ? features.shape()[1] : 0;
    if (words != null) {
      require(words, signature.wordsShape(), Datatype.BYTES, true);
      if (words.shape()[0] != rows || (steps > 0 && words.shape()[1] != steps)) {
        throw RefusedRequestException.bad(
            "%s.shape is %s, and that of features %s; give both as many rows and steps"
                .formatted(
                    words.where(),
                    Arrays.toString(words.shape()),
                    Arrays.toString(features.shape())));
      }
    }
    return new InferRequest(
        id,
        rows,
        spread(features.data().numbers(), rows, steps),
        words == null ? new String[0] : spread(words.data().texts(), rows, steps),
        steps,
        outputs);
  }

  private void require(Tensor tensor, int[] wanted, Datatype type, boolean mayMiss)
      throws RefusedRequestException {
    int[] shape = tensor.shape();
    boolean fits = shape.length == wanted.length;
    for (int i = 0; fits && i < wanted.length; i++) {
      fits = shape[i] == wanted[i] || (wanted[i] == Signature.ANY && shape[i] > 0);
    }
    if (!fits) {
      throw RefusedRequestException.bad(
          "%s.shape is %s; it must be %s, with at least one row"
              .formatted(tensor.where(), Arrays.toString(shape), say(wanted)));
    }
    if (shape[0] > maxRows) {
      throw new RefusedRequestException(
          413,
          "%s.shape has %s rows; this server takes %s at once: send them in several requests"
              .formatted(tensor.where(), shape[0], maxRows));
    }
    int most = signature.shape().structure().steps();
    if (most > 0 && shape[1] > most) {
      throw RefusedRequestException.bad(
          "%s.shape has %s steps; the model takes sequences of up to %s"
              .formatted(tensor.where(), shape[1], most));
    }
    if ((tensor.type() == Datatype.BYTES) != (type == Datatype.BYTES)) {
      throw RefusedRequestException.bad(
          "%s.datatype is %s; \"%s\" are %s"
              .formatted(
                  tensor.where(),
                  tensor.type(),
                  tensor.name(),
                  type == Datatype.BYTES ? "texts (BYTES)" : "numbers, such as FP32"));
    }
    tensor.data().require(shape, tensor.type(), mayMiss);
  }

  private static String say(int[] wanted) {
    String[] names = wanted.length == 2 ? new String[] {"rows"} : new String[] {"rows", "steps"};
    return "[%s, %s]".formatted(String.join(", ", names), wanted[wanted.length - 1]);
  }

  /** A sequence has room for the most steps; what comes behind its own is 0. */
  private float[] spread(float[] given, int rows, int steps) {
    ExampleShape shape = signature.shape();
    int from = steps == 0 ? shape.features() : steps * shape.width();
    if (from == shape.features()) {
      return given;
    }
    float[] all = new float[rows * shape.features()];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(given, row * from, all, row * shape.features(), from);
    }
    return all;
  }

  private String[] spread(List<String> given, int rows, int steps) {
    ExampleShape shape = signature.shape();
    int width = shape.columns().words().size();
    int from = steps == 0 ? shape.words() : steps * width;
    String[] all = new String[rows * shape.words()];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < from; i++) {
        all[row * shape.words() + i] = given.get(row * from + i);
      }
    }
    return all;
  }
}
