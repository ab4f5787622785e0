package dev.millrace.onnx.torch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.Target;
import dev.millrace.onnx.graph.NetworkNodes;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * TorchScript modules whose code is straight: a module's {@code forward} is read as the calls that
 * it makes, one after the other. What branches, loops, or calls something else is refused.
 * Millrace's own modules are straight, and those that are traced.
 */
public final class TorchNodes implements NetworkNodes {

  /** The most characters of a module's text, as the engine takes them. */
  private static final int MOST_CHARACTERS = 400_000_000;

  private static final JsonMapper MAPPER = StrictJson.mapper(MOST_CHARACTERS).build();

  @Override
  public List<Value> add(OnnxGraph graph, ModelSpec spec, float[] vector, Value features) {
    try {
      JsonNode configuration = MAPPER.readTree(spec.configuration());
      ScriptCode code = ScriptCode.read(configuration.path("module").asText());
      Tensors tensors = new Tensors(configuration.path("slots"), vector);
      String before = graph.enter("module");
      ScriptRun run = new ScriptRun(code, new Operators(graph, tensors));
      Value logits = run.forward(features).as(TensorLayout.ROWS);
      Value outputs = activated(graph, spec.shape().target(), logits);
      graph.enter(before);
      return List.of(outputs);
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "The model's configuration is no JSON: " + StrictJson.reason(e), e);
    } catch (IOException e) {
      throw new InvalidModelException("The module's code can't be read: " + e.getMessage(), e);
    }
  }

  /** Modules give logits; the engine makes probabilities of them, as its losses do. */
  private static Value activated(OnnxGraph graph, Target target, Value logits) {
    return switch (target) {
      case CLASSIFICATION -> graph.node("Softmax", Map.of("axis", -1L), logits);
      case MULTI_LABEL -> graph.node("Sigmoid", logits);
      case REGRESSION -> logits;
    };
  }
}
