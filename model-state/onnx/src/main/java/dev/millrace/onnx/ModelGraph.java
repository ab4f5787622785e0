package dev.millrace.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.Target;
import dev.millrace.onnx.graph.FeatureNodes;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.Value;
import dev.millrace.snapshot.Release;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A model as an ONNX graph. */
final class ModelGraph {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String CLASSES = "millrace.classes";

  /** A file of the format has at most 2 GiB; a MiB is for all but parameters. */
  private static final int MOST_PARAMETERS = (int) (((2L << 30) - (1 << 20)) / Float.BYTES);

  private final OnnxGraph graph = new OnnxGraph();
  private final ModelProto proto;

  ModelGraph(ServableModel model) {
    if (model.spec().parameters() > MOST_PARAMETERS) {
      throw new InvalidModelException(
          String.format(
              Locale.ROOT,
              "A model of %,d parameters can't be written as ONNX, whose files have at most 2 GiB",
              model.spec().parameters()));
    }
    ExampleShape shape = model.spec().shape();
    Value features = FeatureNodes.add(graph, shape, model.learned());
    List<Value> values = new Networks().add(graph, model.spec(), model.vector(), features);
    List<Output> outputs = shape.structure().outputs();
    if (outputs.isEmpty()) {
      output(outputName(shape.target()), values.get(0), shape, shape.outputs());
    }
    for (int i = 0; i < outputs.size(); i++) {
      output(outputs.get(i).name(), values.get(i), shape, outputs.get(i).labels().length());
    }
    this.proto = graph.model("millrace", Release.version(), facts(model));
  }

  /** Returns what the output of a model that has only one is called. */
  static String outputName(Target target) {
    return target == Target.REGRESSION ? "values" : "probabilities";
  }

  private void output(String name, Value value, ExampleShape shape, int width) {
    if (shape.structure().labelPerStep()) {
      graph.output(name, value, FeatureNodes.EXAMPLES, FeatureNodes.STEPS, width);
    } else {
      graph.output(name, value, FeatureNodes.EXAMPLES, width);
    }
  }

  private static Map<String, String> facts(ServableModel model) {
    Map<String, String> facts = new TreeMap<>(model.facts());
    if (!model.classes().isEmpty()) {
      try {
        facts.put(CLASSES, MAPPER.writeValueAsString(model.classes()));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("Names that are no JSON", e);
      }
    }
    return facts;
  }

  ModelProto proto() {
    return proto;
  }

  /** Features are integers below it; the greatest integer where they are numbers of any kind. */
  int ids() {
    return graph.ids();
  }
}
