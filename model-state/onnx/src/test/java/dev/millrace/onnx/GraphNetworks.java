package dev.millrace.onnx;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.graph.ScaleVertex;
import org.deeplearning4j.nn.conf.graph.ShiftVertex;
import org.deeplearning4j.nn.conf.graph.SubsetVertex;
import org.deeplearning4j.nn.conf.graph.rnn.LastTimeStepVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** DL4J's graphs, of random sizes, as JSON. */
final class GraphNetworks {

  /** Two inputs; a class of three, and two numbers. */
  static final ExampleShape TWO = two(0);

  /** The same, but the item is a sequence, and the user is the same in each step. */
  static final ExampleShape TWO_OF_STEPS = two(5);

  private GraphNetworks() {}

  private static ExampleShape two(int steps) {
    return new ExampleShape(
        Math.max(1, steps) * 12,
        5,
        Target.CLASSIFICATION,
        FeatureColumns.PLAIN,
        new ExampleStructure(
            steps,
            false,
            List.of(
                new Input("user", new IndexRange(0, 4)), new Input("item", new IndexRange(4, 12))),
            List.of(
                new Output("kind", new IndexRange(0, 3), Target.CLASSIFICATION),
                new Output("amount", new IndexRange(3, 5), Target.REGRESSION))));
  }

  private static GraphBuilder graph() {
    return new NeuralNetConfiguration.Builder().seed(1).graphBuilder();
  }

  private static DenseLayer dense(int size) {
    return new DenseLayer.Builder().nOut(size).activation(Activation.TANH).build();
  }

  private static OutputLayer numbers() {
    return new OutputLayer.Builder(LossFunction.MSE)
        .nOut(2)
        .activation(Activation.IDENTITY)
        .build();
  }

  /** The network names inputs and outputs in another order than the examples. */
  static String twoInputs(Random random) {
    return graph()
        .addInputs("item", "user")
        .addLayer("left", dense(2 + random.nextInt(5)), "user")
        .addLayer("right", dense(2 + random.nextInt(5)), "item")
        .addVertex("both", new MergeVertex(), "left", "right")
        .addLayer("amount", numbers(), "both")
        .addLayer("kind", LayeredNetworks.output(3), "both")
        .setOutputs("amount", "kind")
        .setInputTypes(InputType.feedForward(8), InputType.feedForward(4))
        .build()
        .toJson();
  }

  static String rowAndSequence(Random random) {
    return graph()
        .addInputs("item", "user")
        .addLayer("left", dense(2 + random.nextInt(5)), "user")
        .addLayer(
            "steps",
            new LSTM.Builder().nOut(2 + random.nextInt(5)).activation(Activation.TANH).build(),
            "item")
        .addVertex("right", new LastTimeStepVertex("item"), "steps")
        .addVertex("both", new MergeVertex(), "left", "right")
        .addLayer("amount", numbers(), "both")
        .addLayer("kind", LayeredNetworks.output(3), "both")
        .setOutputs("amount", "kind")
        .setInputTypes(InputType.recurrent(8), InputType.feedForward(4))
        .build()
        .toJson();
  }

  /** Every way to combine values, and to change them. */
  static String vertices(int features, Random random) {
    int size = 3 + random.nextInt(5);
    GraphBuilder graph = graph().addInputs("in").addLayer("a", dense(size), "in");
    graph.addLayer("b", dense(size), "in").addLayer("c", dense(size), "a");
    graph.addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "a", "b", "c");
    graph.addVertex("less", new ElementWiseVertex(ElementWiseVertex.Op.Subtract), "sum", "b");
    graph.addVertex("times", new ElementWiseVertex(ElementWiseVertex.Op.Product), "a", "b", "c");
    graph.addVertex("mean", new ElementWiseVertex(ElementWiseVertex.Op.Average), "a", "less", "c");
    graph.addVertex("most", new ElementWiseVertex(ElementWiseVertex.Op.Max), "times", "b", "c");
    graph.addVertex("scaled", new ScaleVertex(1.5), "mean");
    graph.addVertex("shifted", new ShiftVertex(-0.25), "most");
    graph.addVertex("merged", new MergeVertex(), "scaled", "shifted");
    graph.addVertex("some", new SubsetVertex(1, size), "merged");
    return graph
        .addLayer("out", LayeredNetworks.output(3), "some")
        .setOutputs("out")
        .setInputTypes(InputType.feedForward(features))
        .build()
        .toJson();
  }

  /** Two ways over the same image, as residual networks have them. */
  static String images(int side, Random random) {
    int maps = 2 + random.nextInt(4);
    return graph()
        .addInputs("in")
        .addLayer("a", same(maps), "in")
        .addLayer("b", same(maps), "a")
        .addVertex("sum", new ElementWiseVertex(ElementWiseVertex.Op.Add), "a", "b")
        .addVertex("both", new MergeVertex(), "sum", "a")
        .addLayer("out", LayeredNetworks.output(3), "both")
        .setOutputs("out")
        .setInputTypes(InputType.convolutionalFlat(side, side, 1))
        .build()
        .toJson();
  }

  private static ConvolutionLayer same(int maps) {
    return new ConvolutionLayer.Builder(3, 3)
        .padding(1, 1)
        .nOut(maps)
        .activation(Activation.RELU)
        .build();
  }
}
