package dev.millrace.serve.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.serve.RawTensor;
import dev.millrace.serve.RefusedRequestException;
import dev.millrace.serve.TensorRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a {@code ModelInferRequest}. Numbers of its fields are those of the protocol's published
 * messages. It is read by hand, as records of Protobuf are: no object is made for an element, and
 * elements that stand one by one come out as bytes, as those do that a client sends as such.
 */
final class InferMessage {

  /** The parameter that names the text for a missing value. */
  private static final String MISSING = "missing";

  private static final int MOST_DIMENSIONS = 8;

  /**
   * Most parts of each kind; no model has as many. Two bytes of a message make one that takes a
   * hundred in memory.
   */
  private static final int MOST_PARTS = 10_000;

  /** An input before its data is known. */
  private static final class Input {
    private final Contents contents;
    private String name = "";
    private String datatype = "";
    private final List<Integer> shape = new ArrayList<>();

    Input(Contents contents) {
      this.contents = contents;
    }
  }

  private String model = "";
  private String version = "";
  private String id = "";
  private String missingOrNull;
  private final List<Input> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private final List<ByteBuffer> raw = new ArrayList<>();

  private final long mostBytes;
  private long bytes;

  private InferMessage(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Reads one.
   *
   * @param mostBytes of all elements that stand one by one: one byte of the message may make eight
   * @throws RefusedRequestException if it is none, or says two things at once
   */
  static InferMessage read(byte[] message, long mostBytes) throws RefusedRequestException {
    InferMessage read = new InferMessage(mostBytes);
    try {
      read.read(CodedInputStream.newInstance(message));
    } catch (IOException e) {
      throw RefusedRequestException.bad(
          "The message is no ModelInferRequest: %s".formatted(e.getMessage()));
    }
    return read;
  }

  private void read(CodedInputStream in) throws IOException, RefusedRequestException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> model = in.readStringRequireUtf8();
        case 2 -> version = in.readStringRequireUtf8();
        case 3 -> id = in.readStringRequireUtf8();
        case 4 -> Nested.read(in, this::readParameter);
        case 5 -> add(readInput(in), inputs, "inputs");
        case 6 -> Nested.read(in, this::readOutput);
        case 7 -> add(in.readByteBuffer(), raw, "raw_input_contents");
        default -> in.skipField(tag);
      }
    }
  }

  private static <T> void add(T part, List<T> to, String name) throws RefusedRequestException {
    if (to.size() == MOST_PARTS) {
      throw RefusedRequestException.bad(
          "%s has more than %s parts; send what the model takes".formatted(name, MOST_PARTS));
    }
    to.add(part);
  }

  /** Reads an entry of a map, of which the text of one key alone has a meaning. */
  private void readParameter(CodedInputStream in) throws IOException, RefusedRequestException {
    String key = "";
    List<String> text = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> key = in.readStringRequireUtf8();
        case 2 -> Nested.read(in, value -> readText(value, text));
        default -> in.skipField(tag);
      }
    }
    if (key.equals(MISSING)) {
      if (text.isEmpty()) {
        throw RefusedRequestException.bad(
            "The parameter %s is no text; give string_param".formatted(MISSING));
      }
      missingOrNull = text.get(0);
    }
  }

  private static void readText(CodedInputStream in, List<String> into) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 3) {
        // There may be millions. The last counts, as Protobuf has it.
        into.clear();
        into.add(in.readStringRequireUtf8());
      } else {
        in.skipField(tag);
      }
    }
  }

  private Input readInput(CodedInputStream outer) throws IOException, RefusedRequestException {
    Input input = new Input(new Contents(this::take));
    Nested.read(
        outer,
        in -> {
          for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
              case 1 -> input.name = in.readStringRequireUtf8();
              case 2 -> input.datatype = in.readStringRequireUtf8();
              case 3 -> Nested.readPacked(in, tag, number -> addLength(input, number.readInt64()));
              case 5 -> Nested.read(in, input.contents::read);
              default -> in.skipField(tag);
            }
          }
        });
    return input;
  }

  private void take(int more) throws RefusedRequestException {
    bytes += more;
    if (bytes > mostBytes) {
      throw new RefusedRequestException(
          413,
          "The elements of the inputs have more than %s bytes, which is the most that this server takes; send fewer rows at once"
              .formatted(mostBytes));
    }
  }

  private static void addLength(Input input, long length) throws RefusedRequestException {
    if (length < 0 || length > Integer.MAX_VALUE || input.shape.size() == MOST_DIMENSIONS) {
      throw RefusedRequestException.bad(
          "The shape of \"%s\" has %s as length %s; lengths are whole numbers from 0 to %s, at most %s of them"
              .formatted(
                  input.name, length, input.shape.size(), Integer.MAX_VALUE, MOST_DIMENSIONS));
    }
    input.shape.add((int) length);
  }

  private void readOutput(CodedInputStream in) throws IOException, RefusedRequestException {
    String name = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        name = in.readStringRequireUtf8();
      } else {
        in.skipField(tag);
      }
    }
    add(name, outputs, "outputs");
  }

  /** Whether data came as bytes; then the answer's does, too. */
  boolean isRaw() {
    return !raw.isEmpty();
  }

  /**
   * Returns what is asked.
   *
   * @throws RefusedRequestException if inputs and their data don't go together
   */
  TensorRequest request() throws RefusedRequestException {
    if (isRaw() && raw.size() != inputs.size()) {
      throw RefusedRequestException.bad(
          "raw_input_contents has %s parts, and there are %s inputs; give one for each"
              .formatted(raw.size(), inputs.size()));
    }
    List<RawTensor> tensors = new ArrayList<>();
    for (Input input : inputs) {
      if (isRaw() && !input.contents.isEmpty()) {
        throw RefusedRequestException.bad(
            "The input \"%s\" has contents, and raw_input_contents besides; give one"
                .formatted(input.name));
      }
      ByteBuffer data =
          isRaw() ? raw.get(tensors.size()) : input.contents.bytes(input.name, input.datatype);
      tensors.add(
          new RawTensor(
              input.name,
              input.datatype,
              input.shape.stream().mapToInt(Integer::intValue).toArray(),
              data));
    }
    return new TensorRequest(
        model, present(version), present(id), tensors, outputs, Optional.ofNullable(missingOrNull));
  }

  private static Optional<String> present(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }
}
