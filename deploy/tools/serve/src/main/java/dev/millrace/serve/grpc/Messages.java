package dev.millrace.serve.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.serve.ModelDescription;
import dev.millrace.serve.ModelDescription.Slot;
import dev.millrace.serve.RawTensor;
import dev.millrace.serve.RefusedRequestException;
import dev.millrace.serve.TensorAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Writes the protocol's messages, and reads the short ones. */
final class Messages {

  private Messages() {}

  /** A model that a request names, by its first two fields. */
  record Named(String model, Optional<String> version) {}

  /** Reads a {@code ModelReadyRequest} or a {@code ModelMetadataRequest}. */
  static Named named(byte[] message) throws RefusedRequestException {
    String model = "";
    String version = "";
    try {
      CodedInputStream in = CodedInputStream.newInstance(message);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> model = in.readStringRequireUtf8();
          case 2 -> version = in.readStringRequireUtf8();
          default -> in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw RefusedRequestException.bad("The message names no model: " + e.getMessage());
    }
    return new Named(model, version.isEmpty() ? Optional.empty() : Optional.of(version));
  }

  /** Fills a message. */
  private interface Filling {

    void fill(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Filling filling) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      filling.fill(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes whether something is live or ready. */
  static byte[] truth(boolean is) {
    return message(out -> out.writeBool(1, is));
  }

  /** Writes a {@code ServerMetadataResponse}. */
  static byte[] server(String name, String version) {
    return message(
        out -> {
          out.writeString(1, name);
          out.writeString(2, version);
        });
  }

  /** Writes a {@code ModelMetadataResponse}. */
  static byte[] model(ModelDescription model) {
    return message(
        out -> {
          out.writeString(1, model.name());
          out.writeString(2, model.version());
          out.writeString(3, model.platform());
          for (Slot input : model.inputs()) {
            out.writeByteArray(4, tensor(input.name(), input.datatype(), input.shape()));
          }
          for (Slot output : model.outputs()) {
            out.writeByteArray(5, tensor(output.name(), output.datatype(), output.shape()));
          }
        });
  }

  private static byte[] tensor(String name, String datatype, int[] shape) {
    return message(
        out -> {
          out.writeString(1, name);
          out.writeString(2, datatype);
          out.writeByteArray(
              3,
              message(
                  lengths -> {
                    for (int length : shape) {
                      lengths.writeInt64NoTag(length);
                    }
                  }));
        });
  }

  /**
   * Writes a {@code ModelInferResponse}.
   *
   * @param raw whether elements come as bytes, else one by one
   */
  static byte[] answer(TensorAnswer answer, boolean raw) {
    return message(
        out -> {
          out.writeString(1, answer.model());
          out.writeString(2, answer.version());
          if (answer.id().isPresent()) {
            out.writeString(3, answer.id().get());
          }
          for (RawTensor output : answer.outputs()) {
            byte[] head = tensor(output.name(), output.datatype(), output.shape());
            byte[] contents = raw ? new byte[0] : contents(output);
            out.writeTag(5, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(head.length + contents.length);
            out.writeRawBytes(head);
            out.writeRawBytes(contents);
          }
          if (raw) {
            for (RawTensor output : answer.outputs()) {
              out.writeByteBuffer(6, output.data());
            }
          }
        });
  }

  /** The field of an output that has its elements one by one. */
  private static byte[] contents(RawTensor output) {
    ByteBuffer data = output.data().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    byte[] elements =
        message(
            out -> {
              switch (output.datatype()) {
                case "FP32" -> out.writeByteBuffer(6, data);
                case "INT64" -> out.writeByteArray(3, whole(data));
                default -> {
                  while (data.hasRemaining()) {
                    byte[] text = new byte[data.getInt()];
                    data.get(text);
                    out.writeByteArray(8, text);
                  }
                }
              }
            });
    return message(out -> out.writeByteArray(5, elements));
  }

  private static byte[] whole(ByteBuffer data) {
    return message(
        out -> {
          while (data.hasRemaining()) {
            out.writeInt64NoTag(data.getLong());
          }
        });
  }
}
