package dev.millrace.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.List;
import java.util.stream.Collectors;

/** A model's {@code config.pbtxt}, as Triton's documentation of model configurations has it. */
final class TritonConfig {

  /** Examples that the server may put together, of requests at the same time. */
  private static final int MOST_EXAMPLES = 256;

  private TritonConfig() {}

  static String text(String name, GraphProto graph) {
    return """
    name: "%s"
    backend: "onnxruntime"
    max_batch_size: %s
    %s%sdynamic_batching { }
    """
        .formatted(
            quoted(name),
            MOST_EXAMPLES,
            tensors("input", graph.getInputList()),
            tensors("output", graph.getOutputList()));
  }

  private static String tensors(String what, List<ValueInfoProto> tensors) {
    return tensors.stream()
        .map(
            tensor ->
                "%s { name: \"%s\" data_type: %s dims: [ %s ] }\n"
                    .formatted(
                        what, quoted(tensor.getName()), type(tensor), dimensions(tensor.getType())))
        .collect(Collectors.joining());
  }

  /** Inputs may have the names of fields. */
  private static String quoted(String name) {
    return name.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  private static String type(ValueInfoProto tensor) {
    int type = tensor.getType().getTensorType().getElemType();
    return type == TensorProto.DataType.STRING.getNumber() ? "TYPE_STRING" : "TYPE_FP32";
  }

  /**
   * Writes the dimensions without the first, which counts examples: with batching it is understood.
   */
  private static String dimensions(TypeProto type) {
    return type.getTensorType().getShape().getDimList().stream()
        .skip(1)
        .map(TritonConfig::size)
        .collect(Collectors.joining(", "));
  }

  private static String size(TensorShapeProto.Dimension dimension) {
    return dimension.hasDimValue() ? Long.toString(dimension.getDimValue()) : "-1";
  }
}
