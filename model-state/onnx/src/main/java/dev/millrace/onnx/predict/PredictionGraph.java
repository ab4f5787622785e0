package dev.millrace.onnx.predict;

import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.onnx.Networks;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import dev.millrace.snapshot.Release;
import java.util.List;
import java.util.Map;

/**
 * A network as bytes of ONNX: completed features go in, and all predictions come out as one tensor,
 * in the order of an example's labels.
 */
final class PredictionGraph {

  /** [examples, features], or [examples, steps, features of a step]. */
  static final String FEATURES = "features";

  /** [examples, outputs], or with a label for each step [examples, steps, outputs]. */
  static final String PREDICTIONS = "predictions";

  private static final String EXAMPLES = "n";
  private static final String STEPS = "steps";

  /**
   * How often the heap has the parameters at most while they become bytes: in the graph, in its
   * bytes, and those of a layer.
   */
  private static final int COPIES = 3;

  /** Bytes of ONNX are at most 2 GiB; a MiB is for all but parameters. */
  private static final long MOST_BYTES = (2L << 30) - (1 << 20);

  private PredictionGraph() {}

  /**
   * Writes a network.
   *
   * @throws InvalidModelException if a part of it can't be written, naming the part, or if it takes
   *     more memory than there is
   */
  static byte[] write(ModelSpec spec, float[] parameters) {
    long bytes = (long) spec.parameters() * Float.BYTES;
    if (bytes > MOST_BYTES) {
      throw new InvalidModelException(
          "a model of %s parameters is more than ONNX has room for, 2 GiB"
              .formatted(spec.parameters()));
    }
    HeapRoom.require(COPIES * bytes, "The network as ONNX");
    OnnxGraph graph = new OnnxGraph();
    ExampleShape shape = spec.shape();
    List<Value> outputs = new Networks().add(graph, spec, parameters, features(graph, shape));
    if (graph.ids() != Integer.MAX_VALUE) {
      // A number below 0 counts from the end there.
      throw new InvalidModelException(
          "it takes numbers of things, and ONNX Runtime doesn't refuse all that it doesn't know");
    }
    graph.enter(PREDICTIONS);
    Value predictions =
        outputs.size() == 1
            ? outputs.get(0)
            : graph.node("Concat", Map.of("axis", -1L), outputs.toArray(Value[]::new));
    if (shape.structure().labelPerStep()) {
      graph.output(PREDICTIONS, predictions, EXAMPLES, STEPS, shape.outputs());
    } else {
      graph.output(PREDICTIONS, predictions, EXAMPLES, shape.outputs());
    }
    return graph.model("millrace", Release.version(), Map.of()).toByteArray();
  }

  private static Value features(OnnxGraph graph, ExampleShape shape) {
    return shape.structure().isSequence()
        ? graph.input(FEATURES, TensorLayout.STEPS, EXAMPLES, STEPS, shape.width())
        : graph.input(FEATURES, TensorLayout.ROWS, EXAMPLES, shape.features());
  }
}
