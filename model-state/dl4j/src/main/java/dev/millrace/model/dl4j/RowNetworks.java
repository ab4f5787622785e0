package dev.millrace.model.dl4j;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.RowFeatures;
import dev.millrace.nd4j.vertices.WideVertex;
import java.util.List;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;

/**
 * The networks that come with Millrace for rows of embedding tables: {@code deepfm} (Guo et al.
 * 2017), {@code wide-deep} (Cheng et al. 2016) and {@code dcn} (Wang et al. 2021, with full
 * matrices, in parallel). Each has rectified layers over all features, {@code deep0} and so on, and
 * beside them its own part; a linear layer, {@code output}, takes both.
 */
final class RowNetworks {

  private static final String FEATURES = "features";
  private static final String OUTPUT = "output";
  private static final String BOTH = "both";
  private static final int CROSS_LAYERS = 2;

  private RowNetworks() {}

  static ComputationGraphConfiguration deepFm(BuiltIn definition) {
    return wide(definition, true);
  }

  static ComputationGraphConfiguration wideAndDeep(BuiltIn definition) {
    return wide(definition, false);
  }

  /**
   * A linear layer over the features of no row, the sum of the rows' first values and, by choice,
   * the interactions of their other values.
   */
  private static ComputationGraphConfiguration wide(BuiltIn definition, boolean interactions) {
    BuiltInChecks.requireRows(definition, interactions ? 2 : 1);
    GraphBuilder graph = begin(definition);
    String deep = deep(graph, definition);
    graph.addVertex("wide", wide(definition.shape(), interactions), FEATURES);
    return end(graph, definition, deep, "wide");
  }

  private static WideVertex wide(ExampleShape shape, boolean interactions) {
    List<IndexRange> rows = RowFeatures.rows(shape);
    return new WideVertex(
        shape.features(),
        rows.stream().mapToInt(IndexRange::from).toArray(),
        rows.stream().mapToInt(IndexRange::to).toArray(),
        interactions);
  }

  static ComputationGraphConfiguration deepAndCross(BuiltIn definition) {
    BuiltInChecks.requireRows(definition, 1);
    GraphBuilder graph = begin(definition);
    String deep = deep(graph, definition);
    String crossed = FEATURES;
    for (int layer = 0; layer < CROSS_LAYERS; layer++) {
      DenseLayer dense = BuiltInNetworks.weighed(definition.shape().features());
      String product = "product" + layer;
      String sum = "sum" + layer;
      graph.addLayer("cross" + layer, dense, crossed);
      graph.addVertex(
          product, new ElementWiseVertex(ElementWiseVertex.Op.Product), FEATURES, "cross" + layer);
      graph.addVertex(sum, new ElementWiseVertex(ElementWiseVertex.Op.Add), product, crossed);
      crossed = sum;
    }
    return end(graph, definition, deep, crossed);
  }

  private static GraphBuilder begin(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    return BuiltInNetworks.settings(definition)
        .graphBuilder()
        .addInputs(FEATURES)
        .setInputTypes(InputType.feedForward(definition.shape().features()));
  }

  private static String deep(GraphBuilder graph, BuiltIn definition) {
    String last = FEATURES;
    for (int layer = 0; layer < definition.hidden().size(); layer++) {
      String name = "deep" + layer;
      graph.addLayer(name, BuiltInNetworks.rectified(definition.hidden().get(layer)), last);
      last = name;
    }
    return last;
  }

  private static ComputationGraphConfiguration end(
      GraphBuilder graph, BuiltIn definition, String deep, String other) {
    return graph
        .addVertex(BOTH, new MergeVertex(), deep, other)
        .addLayer(OUTPUT, BuiltInNetworks.output(definition), BOTH)
        .setOutputs(OUTPUT)
        .build();
  }
}
