package dev.millrace.model.dl4j;

import dev.millrace.model.BuiltInChecks;
import dev.millrace.model.Learning;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration.ListBuilder;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;

/**
 * The networks that come with Millrace: {@code lenet} (LeCun et al. 1998, as in DL4J's examples),
 * {@code mlp} (dense rectified layers) and {@code linear} (an output layer alone). Rectified layers
 * start as He et al. (2015) propose, the others as Glorot and Bengio (2010) do. {@link RowNetworks}
 * and {@link TwoTowers} are for rows of embedding tables.
 */
final class BuiltInNetworks {

  /** libnd4j takes the seed 0 for none, and draws from the clock. */
  private static final long INSTEAD_OF_ZERO = 0x5EEDL;

  private static final List<String> NAMES =
      List.of("lenet", "mlp", "linear", "deepfm", "wide-deep", "dcn", "two-tower");

  private BuiltInNetworks() {}

  /** Returns a network that isn't initialized. */
  static Network of(BuiltIn definition) {
    return switch (definition.name()) {
      case "lenet" -> new LayeredNetwork(lenet(definition));
      case "mlp" -> new LayeredNetwork(mlp(definition));
      case "linear" -> new LayeredNetwork(linear(definition));
      case "deepfm" -> new GraphNetwork(RowNetworks.deepFm(definition));
      case "wide-deep" -> new GraphNetwork(RowNetworks.wideAndDeep(definition));
      case "dcn" -> new GraphNetwork(RowNetworks.deepAndCross(definition));
      case "two-tower" -> new GraphNetwork(TwoTowers.configure(definition));
      default ->
          throw new InvalidModelException(
              "There is no built-in network '%s'; %s"
                  .formatted(definition.name(), Nearest.remedy(definition.name(), NAMES)));
    };
  }

  private static MultiLayerConfiguration lenet(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "hidden layer sizes", definition.hidden());
    List<Integer> image = BuiltInChecks.imageOf(definition);
    return settings(definition)
        .list()
        .layer(convolution(20))
        .layer(pooling())
        .layer(convolution(50))
        .layer(pooling())
        .layer(rectified(500))
        .layer(output(definition))
        .setInputType(InputType.convolutionalFlat(image.get(0), image.get(1), image.get(2)))
        .build();
  }

  private static MultiLayerConfiguration mlp(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    BuiltInChecks.requireHidden(definition, "take 'linear' for none");
    ListBuilder layers = settings(definition).list();
    definition.hidden().forEach(size -> layers.layer(rectified(size)));
    return layers
        .layer(output(definition))
        .setInputType(InputType.feedForward(definition.shape().features()))
        .build();
  }

  private static MultiLayerConfiguration linear(BuiltIn definition) {
    BuiltInChecks.refuse(definition, "hidden layer sizes", definition.hidden());
    BuiltInChecks.refuse(definition, "an image size", definition.image());
    return settings(definition)
        .list()
        .layer(output(definition))
        .setInputType(InputType.feedForward(definition.shape().features()))
        .build();
  }

  /** Returns what holds for all layers. */
  static NeuralNetConfiguration.Builder settings(BuiltIn definition) {
    Learning learning = definition.learning();
    Dl4jLearning.requireKnown(learning);
    double l2 = learning.l2().orElse(0.0);
    if (!(l2 >= 0)) {
      throw new InvalidModelException(
          "The weight decay l2 is %s; it must be 0 (none) or above".formatted(l2));
    }
    return new NeuralNetConfiguration.Builder()
        .seed(definition.seed() == 0 ? INSTEAD_OF_ZERO : definition.seed())
        .updater(Updaters.of(learning))
        .l2(l2)
        .weightInit(WeightInit.XAVIER)
        .activation(Activation.IDENTITY);
  }

  private static ConvolutionLayer convolution(int maps) {
    return new ConvolutionLayer.Builder(5, 5).stride(1, 1).nOut(maps).build();
  }

  private static SubsamplingLayer pooling() {
    return new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
        .kernelSize(2, 2)
        .stride(2, 2)
        .build();
  }

  static DenseLayer rectified(int size) {
    return new DenseLayer.Builder()
        .nOut(size)
        .activation(Activation.RELU)
        .weightInit(WeightInit.RELU)
        .build();
  }

  /** A dense layer without activation. */
  static DenseLayer weighed(int size) {
    return new DenseLayer.Builder().nOut(size).build();
  }

  static OutputLayer output(BuiltIn definition) {
    Target target = definition.shape().target();
    Activation activation =
        switch (target) {
          case CLASSIFICATION -> Activation.SOFTMAX;
          case MULTI_LABEL -> Activation.SIGMOID;
          case REGRESSION -> Activation.IDENTITY;
        };
    return new OutputLayer.Builder(Dl4jLearning.loss(definition.learning(), target))
        .activation(activation)
        .nOut(definition.shape().outputs())
        .build();
  }
}
