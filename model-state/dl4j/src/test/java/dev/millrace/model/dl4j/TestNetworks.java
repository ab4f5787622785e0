package dev.millrace.model.dl4j;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.EmbeddingLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.junit.jupiter.api.TestInfo;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks and examples for tests. */
final class TestNetworks {

  static final Partition PARTITION = new Partition("examples", 0);

  private TestNetworks() {}

  /** Random numbers of a new seed each time, which is printed. */
  static Random random(TestInfo test) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %d%n", test.getDisplayName(), seed);
    return new Random(seed);
  }

  static BuiltIn builtIn(String name, ExampleShape shape, List<Integer> hidden, String updater) {
    return new BuiltIn(name, shape, hidden, List.of(), updater, 0.01, 0.9, 5e-4, 42);
  }

  static BuiltIn mlp() {
    return builtIn("mlp", new ExampleShape(12, 5, Target.CLASSIFICATION), List.of(16, 8), "adam");
  }

  static BuiltIn lenet() {
    ExampleShape shape = new ExampleShape(28 * 28, 10, Target.CLASSIFICATION);
    return builtIn("lenet", shape, List.of(), "nesterovs");
  }

  /** A multilayer perceptron of 12 features, 7 hidden units and 5 classes. */
  static String layeredJson(IUpdater updater, double keepHidden) {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(updater)
        .list()
        .layer(
            new DenseLayer.Builder()
                .nIn(12)
                .nOut(7)
                .activation(Activation.TANH)
                .dropOut(keepHidden)
                .build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(7)
                .nOut(5)
                .activation(Activation.SOFTMAX)
                .dropOut(keepHidden)
                .build())
        .build()
        .toJson();
  }

  /** An embedding of ten words, and three classes. */
  static String embeddingJson() {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(new Adam(0.01))
        .list()
        .layer(new EmbeddingLayer.Builder().nIn(10).nOut(4).build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(4)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build())
        .build()
        .toJson();
  }

  /** The same with a second branch around the hidden layer, as a graph. */
  static String graphJson() {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(new Adam(0.01))
        .graphBuilder()
        .addInputs("in")
        .addLayer(
            "left", new DenseLayer.Builder().nOut(7).activation(Activation.TANH).build(), "in")
        .addLayer(
            "right", new DenseLayer.Builder().nOut(6).activation(Activation.RELU).build(), "in")
        .addLayer(
            "out",
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(5)
                .activation(Activation.SOFTMAX)
                .build(),
            "left",
            "right")
        .setOutputs("out")
        .setInputTypes(InputType.feedForward(12))
        .build()
        .toJson();
  }

  /** A convolution whose output goes flattened into the output layer, of 10 x 10 images. */
  static String graphOfImagesJson() {
    ComputationGraphConfiguration configuration =
        new NeuralNetConfiguration.Builder()
            .seed(42)
            .updater(new Nesterovs(0.01, 0.9))
            .graphBuilder()
            .addInputs("in")
            .addLayer(
                "convolution", new ConvolutionLayer.Builder(3, 3).nIn(2).nOut(4).build(), "in")
            .addLayer(
                "pooling",
                new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
                    .kernelSize(2, 2)
                    .stride(2, 2)
                    .build(),
                "convolution")
            .addLayer(
                "out",
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(5)
                    .activation(Activation.SOFTMAX)
                    .build(),
                "pooling")
            .setOutputs("out")
            .setInputTypes(InputType.convolutional(10, 10, 2))
            .build();
    return configuration.toJson();
  }

  static InitialModel define(String json, ExampleShape shape, Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("network.json"), json);
    return new Dl4jEngine().define(new Configuration(file, shape));
  }

  /** A replica that starts from the initial model. */
  static ModelReplica replica(InitialModel model) {
    ModelReplica replica = new Dl4jEngine().build(model.spec(), DeviceRequest.any());
    replica.write(0, model.vector(), 0, model.vector().length);
    replica.setSteps(Steps.of(model.iteration()));
    return replica;
  }

  static float[] vector(ModelReplica replica) {
    float[] vector = new float[replica.spec().vectorLength()];
    replica.read(0, vector, 0, vector.length);
    return vector;
  }

  /** {@code rows} random examples of weight 1, of random classes. */
  static Minibatch examples(ModelSpec spec, int rows, Random random) {
    Minibatch minibatch = new Minibatch(spec.shape(), rows);
    for (int row = 0; row < rows; row++) {
      minibatch.add(
          features(spec.shape(), random), labels(spec.shape(), random), 1, PARTITION, row);
    }
    return minibatch;
  }

  static float[] features(ExampleShape shape, Random random) {
    float[] features = new float[shape.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    return features;
  }

  static float[] labels(ExampleShape shape, Random random) {
    float[] labels = new float[shape.outputs()];
    labels[random.nextInt(labels.length)] = 1;
    return labels;
  }
}
