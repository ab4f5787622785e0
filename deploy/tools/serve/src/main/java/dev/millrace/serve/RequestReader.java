package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Reads requests for one kind of model from JSON. What a request takes of memory and time is
 * bounded by the rows that it may have, beside the length of its body: it ends at the first thing
 * that is too much.
 *
 * <p>Immutable: any thread may use it.
 */
final class RequestReader {

  private static final Set<String> MEMBERS = Set.of("id", "inputs", "outputs");
  private static final Set<String> OF_OUTPUT = Set.of("name");

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
  InferRequest read(byte[] body, int length) throws RefusedRequestException {
    try (JsonParser parser = RequestJson.parser(body, length)) {
      InferRequest request = read(parser);
      if (parser.nextToken() != null) {
        throw RefusedRequestException.bad(
            "Behind the request's JSON comes %s; send one object".formatted(Tokens.say(parser)));
      }
      return request;
    } catch (IOException e) {
      throw RequestJson.refusal(e);
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
    Skipped skipped = new Skipped();
    Members members = new Members(parser, "The request", MEMBERS, skipped);
    for (String member = members.nextOrNull(); member != null; member = members.nextOrNull()) {
      switch (member) {
        case "id" -> id = Tensor.text(parser, "id");
        case "inputs" -> {
          for (Tensor input : inputs(parser, skipped)) {
            switch (input.name()) {
              case Signature.FEATURES -> features = once(features, input);
              case Signature.WORDS -> words = once(words, input);
              default -> throw unknown(input);
            }
          }
        }
        default -> outputs = outputs(parser, skipped);
      }
    }
    return request(id, features, words, outputs);
  }

  private RefusedRequestException unknown(Tensor input) {
    return RefusedRequestException.bad(
        "%s.name is \"%s\"; the model takes %s"
            .formatted(input.where(), Tokens.shorten(input.name()), taken()));
  }

  private String taken() {
    return signature.takesWords() ? "features and words" : "features";
  }

  private static Tensor once(Tensor before, Tensor input) throws RefusedRequestException {
    if (before != null) {
      throw RefusedRequestException.bad(
          "%s.name is \"%s\", as that of %s; give each input once"
              .formatted(input.where(), input.name(), before.where()));
    }
    return input;
  }

  /** All of them; refused at the first that is too many. */
  private List<Tensor> inputs(JsonParser parser, Skipped skipped)
      throws IOException, RefusedRequestException {
    requireArray(parser, "inputs");
    int most = signature.takesWords() ? 2 : 1;
    Elements elements = Elements.of(signature.shape(), maxRows);
    List<Tensor> inputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (inputs.size() == most) {
        throw RefusedRequestException.bad(
            "inputs has more than %s; the model takes %s, once".formatted(most, taken()));
      }
      inputs.add(Tensor.read(parser, "inputs[%s]".formatted(inputs.size()), elements, skipped));
    }
    return inputs;
  }

  /** Reads which outputs are asked for by name, or returns all. */
  private List<OutputTensor> outputs(JsonParser parser, Skipped skipped)
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
      Members members = new Members(parser, where, OF_OUTPUT, skipped);
      while (members.nextOrNull() != null) {
        output = output(Tensor.text(parser, where + ".name"), where);
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
