package dev.millrace.onnx;

import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.WeightedMember;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.onnx.dl4j.Dl4jNodes;
import dev.millrace.onnx.graph.NetworkNodes;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.Value;
import dev.millrace.onnx.torch.TorchNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Networks of any engine, and models that are made of several. */
public final class Networks implements NetworkNodes {

  private static final Map<String, NetworkNodes> ENGINES =
      Map.of("dl4j", new Dl4jNodes(), "torch", new TorchNodes());

  @Override
  public List<Value> add(OnnxGraph graph, ModelSpec spec, float[] vector, Value features) {
    Optional<ModelMembers> members = ModelMembers.of(spec.engine());
    if (members.isPresent()) {
      return mean(graph, members.get().models(spec, vector), features);
    }
    NetworkNodes nodes = ENGINES.get(spec.engine());
    if (nodes == null) {
      throw new InvalidModelException(
          "Models of the engine %s can't be written as ONNX".formatted(spec.engine()));
    }
    return nodes.add(graph, spec, vector, features);
  }

  /** Returns what all predict together: the mean of their predictions, by their weights. */
  private List<Value> mean(OnnxGraph graph, List<WeightedMember> members, Value features) {
    List<Value> sums = new ArrayList<>();
    for (WeightedMember member : members) {
      List<Value> outputs = add(graph, member.spec(), member.vector(), features);
      graph.enter("population");
      Value weight = graph.constant("weight", (float) member.weight());
      for (int i = 0; i < outputs.size(); i++) {
        Value weighed = graph.node("Mul", outputs.get(i), weight);
        if (sums.size() == i) {
          sums.add(weighed);
        } else {
          sums.set(i, graph.node("Add", sums.get(i), weighed));
        }
      }
    }
    return sums;
  }
}
