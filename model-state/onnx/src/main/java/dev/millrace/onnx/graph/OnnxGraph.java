package dev.millrace.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * An ONNX graph under construction: nodes in the order in which they are added, each with one
 * output. Names are made of the part of the network that a node belongs to, see {@link #enter}.
 *
 * <p>Not thread-safe.
 */
public final class OnnxGraph {

  /** The first with which all that is written here works; newer runtimes run it, too. */
  private static final int OPSET = 17;

  /**
   * The version of ONNX' operators for classical machine learning, which turn words into numbers.
   */
  private static final int ML_OPSET = 3;

  private static final String ML_DOMAIN = "ai.onnx.ml";
  private static final String WORD_NUMBERS = "LabelEncoder";

  /** The file format that goes with the opset. */
  private static final int IR_VERSION = 8;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("model");
  private final Map<String, Integer> names = new HashMap<>();
  private String part = "";
  private int ids = Integer.MAX_VALUE;
  private boolean withWords;

  /**
   * Names what is added from here on by a part of the network, such as a layer.
   *
   * @return the part before
   */
  public String enter(String newPart) {
    String before = part;
    part = newPart;
    return before;
  }

  /** An input of numbers; a dimension that is text may have any size. */
  public Value input(String name, TensorLayout form, Object... dimensions) {
    graph.addInput(info(name, TensorProto.DataType.FLOAT, dimensions));
    // Fields may have names like those of nodes.
    names.put(name, 1);
    return new Value(name, form);
  }

  /** An input of words. */
  public Value words(String name, Object... dimensions) {
    graph.addInput(info(name, TensorProto.DataType.STRING, dimensions));
    return new Value(name, TensorLayout.OTHER);
  }

  /** Makes a value an output of that name. */
  public void output(String name, Value value, Object... dimensions) {
    graph.addNode(
        NodeProto.newBuilder()
            .setName(unique("output/" + name))
            .setOpType("Identity")
            .addInput(value.name())
            .addOutput(name));
    graph.addOutput(info(name, TensorProto.DataType.FLOAT, dimensions));
  }

  /** Notes that features are numbers of things, all below a limit. */
  public void takesIds(int below) {
    ids = Math.min(ids, below);
  }

  /** The limit of {@link #takesIds}; the greatest integer where features are numbers. */
  public int ids() {
    return ids;
  }

  /** Adds a node without attributes. */
  public Value node(String operator, Value... inputs) {
    return node(operator, Map.of(), inputs);
  }

  /**
   * Adds a node.
   *
   * @param attributes a long, float, text, or array of longs or texts each
   * @return its output, in the form of its first input
   */
  public Value node(String operator, Map<String, ?> attributes, Value... inputs) {
    String name = unique(part + "/" + operator);
    NodeProto.Builder node = NodeProto.newBuilder().setName(name).setOpType(operator);
    if (operator.equals(WORD_NUMBERS)) {
      node.setDomain(ML_DOMAIN);
      withWords = true;
    }
    for (Value input : inputs) {
      node.addInput(input.name());
    }
    new TreeMap<>(attributes).forEach((key, value) -> node.addAttribute(attribute(key, value)));
    graph.addNode(node.addOutput(name));
    return new Value(name, inputs[0].form());
  }

  /**
   * Puts the dimensions of a value into another order.
   *
   * @param axes of the value, in their new order
   */
  public Value transposed(Value value, TensorLayout form, long... axes) {
    return node("Transpose", Map.of("perm", axes), value).as(form);
  }

  /** Numbers that are part of the model, row-major. */
  public Value constant(String name, float[] values, long... shape) {
    ByteBuffer bytes = bytes(values.length * (long) Float.BYTES);
    bytes.asFloatBuffer().put(values);
    return constant(name, TensorProto.DataType.FLOAT, bytes, shape);
  }

  /** A single number. */
  public Value constant(String name, float value) {
    return constant(name, new float[] {value});
  }

  /** Integers, such as sizes and indices. */
  public Value integers(String name, long... values) {
    ByteBuffer bytes = bytes(values.length * (long) Long.BYTES);
    bytes.asLongBuffer().put(values);
    return constant(name, TensorProto.DataType.INT64, bytes, values.length);
  }

  /** A single integer. */
  public Value integer(String name, long value) {
    ByteBuffer bytes = bytes(Long.BYTES);
    bytes.asLongBuffer().put(value);
    return constant(name, TensorProto.DataType.INT64, bytes);
  }

  /** One byte for each, as ONNX has them. */
  public Value booleans(String name, boolean... values) {
    ByteBuffer bytes = bytes(values.length);
    for (int i = 0; i < values.length; i++) {
      bytes.put(i, (byte) (values[i] ? 1 : 0));
    }
    return constant(name, TensorProto.DataType.BOOL, bytes, values.length);
  }

  /**
   * The finished model.
   *
   * @param facts by name, for the file's metadata
   */
  public ModelProto model(String producer, String version, Map<String, String> facts) {
    ModelProto.Builder model =
        ModelProto.newBuilder()
            .setIrVersion(IR_VERSION)
            .setProducerName(producer)
            .setProducerVersion(version)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
            .setGraph(graph);
    // Not every runtime has them.
    if (withWords) {
      model.addOpsetImport(
          OperatorSetIdProto.newBuilder().setDomain(ML_DOMAIN).setVersion(ML_OPSET));
    }
    new TreeMap<>(facts)
        .forEach(
            (key, value) ->
                model.addMetadataProps(
                    StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return model.build();
  }

  private static ByteBuffer bytes(long length) {
    return ByteBuffer.allocate(Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Value constant(String name, TensorProto.DataType type, ByteBuffer bytes, long... shape) {
    String full = unique(part + "/" + name);
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(full)
            .setDataType(type.getNumber())
            .setRawData(ByteString.copyFrom(bytes.rewind()));
    for (long size : shape) {
      tensor.addDims(size);
    }
    graph.addInitializer(tensor);
    return new Value(full, TensorLayout.OTHER);
  }

  private String unique(String name) {
    int count = names.merge(name, 1, Integer::sum);
    return count == 1 ? name : name + "_" + count;
  }

  private static ValueInfoProto info(String name, TensorProto.DataType type, Object... dimensions) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (Object size : dimensions) {
      TensorShapeProto.Dimension.Builder dimension = TensorShapeProto.Dimension.newBuilder();
      shape.addDim(
          size instanceof String any
              ? dimension.setDimParam(any)
              : dimension.setDimValue(((Number) size).longValue()));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape)))
        .build();
  }

  private static AttributeProto attribute(String name, Object value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (value instanceof Long number) {
      attribute.setType(AttributeProto.AttributeType.INT).setI(number);
    } else if (value instanceof Float number) {
      attribute.setType(AttributeProto.AttributeType.FLOAT).setF(number);
    } else if (value instanceof String text) {
      attribute.setType(AttributeProto.AttributeType.STRING).setS(ByteString.copyFromUtf8(text));
    } else if (value instanceof long[] numbers) {
      attribute.setType(AttributeProto.AttributeType.INTS);
      for (long number : numbers) {
        attribute.addInts(number);
      }
    } else if (value instanceof float[] numbers) {
      attribute.setType(AttributeProto.AttributeType.FLOATS);
      for (float number : numbers) {
        attribute.addFloats(number);
      }
    } else {
      attribute.setType(AttributeProto.AttributeType.STRINGS);
      for (String text : (String[]) value) {
        attribute.addStrings(ByteString.copyFromUtf8(text));
      }
    }
    return attribute.build();
  }
}
