package dev.millrace.onnx.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.RowFeatures;
import dev.millrace.onnx.graph.FeatureNodes;
import dev.millrace.onnx.graph.OnnxGraph;
import dev.millrace.onnx.graph.TensorLayout;
import dev.millrace.onnx.graph.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The vertex that Millrace's own networks have for rows of embedding tables: the features of no
 * row, the sum of the rows' first values, and the interactions of their other values.
 */
final class WideNodes {

  private WideNodes() {}

  static Value add(OnnxGraph graph, Dl4jLayer vertex, Value features) {
    vertex.requireForm(features, TensorLayout.ROWS);
    int width = vertex.integer("features");
    boolean interactions = vertex.flag("interactions");
    List<IndexRange> rows = rows(vertex);
    int factors = interactions ? RowFeatures.shortest(rows) - 1 : 0;
    List<Value> parts = new ArrayList<>();
    for (IndexRange range : RowFeatures.others(rows, width)) {
      parts.add(FeatureNodes.slice(graph, features, range.from(), range.to()));
    }
    Value matrix =
        graph.constant("sums", RowFeatures.sums(rows, width, factors), width, 1L + factors);
    Value sums = graph.node("MatMul", features, matrix);
    parts.add(FeatureNodes.slice(graph, sums, 0, 1));
    if (interactions) {
      Value each = FeatureNodes.slice(graph, sums, 1, 1 + factors);
      Value places = graph.constant("places", RowFeatures.places(rows, width, factors), width, 1);
      Value squares = graph.node("MatMul", graph.node("Mul", features, features), places);
      Value all = graph.node("ReduceSum", graph.node("Mul", each, each), graph.integers("axes", 1));
      // Of all pairs: half of what the square of the sum has more than the sum of squares.
      Value pairs =
          graph.node("Mul", graph.node("Sub", all, squares), graph.constant("half", 0.5f));
      parts.add(pairs);
    }
    return graph.node("Concat", Map.of("axis", 1L), parts.toArray(Value[]::new));
  }

  private static List<IndexRange> rows(Dl4jLayer vertex) {
    JsonNode from = vertex.json().path("from");
    JsonNode to = vertex.json().path("to");
    vertex.require(!from.isEmpty() && from.size() == to.size(), "it has no rows");
    List<IndexRange> rows = new ArrayList<>();
    for (int row = 0; row < from.size(); row++) {
      rows.add(new IndexRange(from.get(row).asInt(), to.get(row).asInt()));
    }
    return rows;
  }
}
