package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.serve.Signature.InputTensor;
import dev.millrace.serve.Signature.OutputTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads requests for one kind of model. What a request takes of memory and time is bounded by the
 * rows that it may have, beside the length of its body: it ends at the first thing that is too
 * much.
 *
 * <p>Not thread-safe.
 */
final class RequestReader {

  private static final Set<String> MEMBERS = Set.of("id", "inputs", "outputs", "parameters");
  private static final Set<String> OF_OUTPUT = Set.of("name", "parameters");

  private final Signature signature;
  private final int maxRows;

  /** Null where a model takes features. */
  private final FieldInputs fields;

  RequestReader(Signature signature, int maxRows) {
    this.signature = signature;
    this.maxRows = maxRows;
    this.fields =
        FieldInputs.areEnough(signature.shape()) ? new FieldInputs(signature.shape()) : null;
  }

  /**
   * Reads a request's body.
   *
   * @throws RefusedRequestException if it isn't a request for such a model
   */
  InferRequest read(Body body) throws RefusedRequestException {
    try (JsonParser parser = RequestJson.parser(body.bytes(), body.jsonLength())) {
      return read(parser, body);
    } catch (IOException e) {
      throw RequestJson.refusal(e);
    }
  }

  /**
   * Reads a request whose tensors are all bytes.
   *
   * @throws RefusedRequestException if it isn't one for such a model
   */
  InferRequest read(TensorRequest request) throws RefusedRequestException {
    if (request.inputs().size() > mostInputs()) {
      throw tooMany();
    }
    List<Tensor> inputs = new ArrayList<>();
    for (RawTensor input : request.inputs()) {
      String where = "inputs[%s]".formatted(inputs.size());
      Datatype type = Datatype.require(input.datatype(), where + ".datatype");
      inputs.add(new Tensor(where, input.name(), input.shape(), type, null, 0).with(input.data()));
    }
    List<NamedOutput> outputs = new ArrayList<>();
    for (String name : request.outputs()) {
      String where = "outputs[%s]".formatted(outputs.size());
      OutputTensor output = output(name, where);
      requireNew(output, outputs, where);
      outputs.add(new NamedOutput(output, Optional.empty()));
    }
    return request(request.id().orElse(null), inputs, request.missing(), wanted(outputs, true));
  }

  /** Returns the outputs that were named, or else all. */
  private List<WantedOutput> wanted(List<NamedOutput> named, boolean binary) {
    return named.isEmpty()
        ? signature.outputs().stream().map(all -> new WantedOutput(all, binary)).toList()
        : named.stream()
            .map(output -> new WantedOutput(output.tensor, output.binary.orElse(binary)))
            .toList();
  }

  /** An output as a request names it: it may leave open whether it is to be binary. */
  private record NamedOutput(OutputTensor tensor, Optional<Boolean> binary) {}

  private InferRequest read(JsonParser parser, Body body)
      throws IOException, RefusedRequestException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw RefusedRequestException.bad(
          "The body is %s; it must be an object with inputs".formatted(Tokens.say(parser)));
    }
    String id = null;
    List<Tensor> inputs = List.of();
    List<NamedOutput> outputs = List.of();
    Parameters parameters = new Parameters("parameters");
    Skipped skipped = new Skipped();
    Members members = new Members(parser, "The request", MEMBERS, skipped);
    for (String member = members.nextOrNull(); member != null; member = members.nextOrNull()) {
      switch (member) {
        case "id" -> id = Tensor.text(parser, "id");
        case "inputs" -> inputs = inputs(parser, skipped);
        case "parameters" -> parameters = Parameters.read(parser, "parameters", skipped);
        default -> outputs = outputs(parser, skipped);
      }
    }
    if (parser.nextToken() != null) {
      throw RefusedRequestException.bad(
          "Behind the request's JSON comes %s; send one object".formatted(Tokens.say(parser)));
    }
    boolean binary = parameters.get(Parameters.ALL_BINARY, Boolean.class).orElse(false);
    return request(
        id,
        withBinary(inputs, body),
        parameters.get(Parameters.MISSING, String.class),
        wanted(outputs, binary));
  }

  /** Gives each input that has no data in the JSON its part of what stands behind it. */
  private static List<Tensor> withBinary(List<Tensor> inputs, Body body)
      throws RefusedRequestException {
    List<Tensor> whole = new ArrayList<>();
    int at = body.jsonLength();
    for (Tensor input : inputs) {
      if (input.dataOrNull() == null) {
        int size = input.binarySize();
        if (size < 0 || size > body.length() - at) {
          throw RefusedRequestException.bad(
              "%s has a %s of %s, and %s bytes are left behind the JSON; send as many"
                  .formatted(input.where(), Parameters.SIZE, size, body.length() - at));
        }
        whole.add(input.with(ByteBuffer.wrap(body.bytes(), at, size)));
        at += size;
      } else {
        whole.add(input);
      }
    }
    if (at < body.length()) {
      throw RefusedRequestException.bad(
          "%s bytes behind the JSON are of no input; give each its %s"
              .formatted(body.length() - at, Parameters.SIZE));
    }
    return whole;
  }

  private String taken() {
    return signature.inputs().stream().map(InputTensor::name).collect(Collectors.joining(", "));
  }

  /** All of them; refused at the first that is too many. */
  private List<Tensor> inputs(JsonParser parser, Skipped skipped)
      throws IOException, RefusedRequestException {
    requireArray(parser, "inputs");
    Elements elements =
        fields == null
            ? Elements.ofFeatures(signature.shape(), maxRows)
            : Elements.ofField(maxRows);
    List<Tensor> inputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (inputs.size() == mostInputs()) {
        throw tooMany();
      }
      inputs.add(Tensor.read(parser, "inputs[%s]".formatted(inputs.size()), elements, skipped));
    }
    return inputs;
  }

  private int mostInputs() {
    return fields == null ? signature.inputs().size() : fields.most();
  }

  private RefusedRequestException tooMany() {
    return RefusedRequestException.bad(
        "inputs has more than %s; the model takes %s, once".formatted(mostInputs(), taken()));
  }

  /** Reads which outputs are asked for by name. */
  private List<NamedOutput> outputs(JsonParser parser, Skipped skipped)
      throws IOException, RefusedRequestException {
    requireArray(parser, "outputs");
    List<NamedOutput> outputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String where = "outputs[%s]".formatted(outputs.size());
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw RefusedRequestException.bad(
            "%s is %s; it must be an object with name".formatted(where, Tokens.say(parser)));
      }
      OutputTensor output = null;
      Members members = new Members(parser, where, OF_OUTPUT, skipped);
      Parameters parameters = new Parameters(where);
      for (String member = members.nextOrNull(); member != null; member = members.nextOrNull()) {
        if (member.equals("name")) {
          output = output(Tensor.text(parser, where + ".name"), where);
        } else {
          parameters = Parameters.read(parser, where + ".parameters", skipped);
        }
      }
      if (output == null) {
        throw RefusedRequestException.bad("%s names none; name each output once".formatted(where));
      }
      requireNew(output, outputs, where);
      outputs.add(new NamedOutput(output, parameters.get(Parameters.BINARY, Boolean.class)));
    }
    return outputs;
  }

  private static void requireNew(OutputTensor output, List<NamedOutput> before, String where)
      throws RefusedRequestException {
    if (before.stream().anyMatch(named -> named.tensor.equals(output))) {
      throw RefusedRequestException.bad(
          "%s names \"%s\" again; name each output once".formatted(where, output.name()));
    }
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

  private InferRequest request(
      String id, List<Tensor> inputs, Optional<String> missing, List<WantedOutput> outputs)
      throws RefusedRequestException {
    Map<String, Tensor> byName = new HashMap<>();
    for (Tensor input : inputs) {
      Tensor before = byName.putIfAbsent(input.name(), input);
      if (before != null) {
        throw RefusedRequestException.bad(
            "%s.name is \"%s\", as that of %s; give each input once"
                .formatted(input.where(), Tokens.shorten(input.name()), before.where()));
      }
    }
    if (fields != null) {
      return fields.read(id, inputs, missing, outputs, maxRows);
    }
    for (Tensor input : inputs) {
      if (signature.inputs().stream().noneMatch(known -> known.name().equals(input.name()))) {
        throw RefusedRequestException.bad(
            "%s.name is \"%s\"; the model takes %s"
                .formatted(input.where(), Tokens.shorten(input.name()), taken()));
      }
    }
    return features(id, byName.get(Signature.FEATURES), byName.get(Signature.WORDS), outputs);
  }

  private InferRequest features(
      String id, Tensor features, Tensor words, List<WantedOutput> outputs)
      throws RefusedRequestException {
    if (!signature.shape().columns().ids().isEmpty()) {
      throw RefusedRequestException.bad(
          "The model takes ids, which tensors of features don't have; send records to predict");
    }
    if (features == null) {
      throw RefusedRequestException.bad("inputs has no \"features\"; the model takes them");
    }
    if (words == null && signature.inputs().size() > 1) {
      throw RefusedRequestException.bad("inputs has no \"words\"; the model takes them");
    }
    boolean mayMiss = !signature.shape().columns().isPlain();
    require(features, signature.inputs().get(0), mayMiss);
    int rows = features.shape()[0];
    int steps = signature.shape().structure().isSequence() ? features.shape()[1] : 0;
    if (words != null) {
      require(words, signature.inputs().get(1), true);
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
        IdLists.NONE,
        steps,
        outputs);
  }

  private void require(Tensor tensor, InputTensor input, boolean mayMiss)
      throws RefusedRequestException {
    int[] wanted = input.shape();
    Datatype type = input.type();
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
