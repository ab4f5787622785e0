package dev.millrace.keras;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A network that has been made ready for training on rows.
 *
 * @param model a {@link MultiLayerNetwork} or a {@link ComputationGraph} with one input and output
 * @param lastLayer its configuration
 * @param features length of a row
 */
record TrainableNetwork(Model model, Layer lastLayer, long features) implements AutoCloseable {

  /** JSON. */
  String configuration() {
    return model instanceof MultiLayerNetwork layered
        ? layered.getLayerWiseConfigurations().toJson()
        : ((ComputationGraph) model).getConfiguration().toJson();
  }

  /**
   * The examples that it takes: a run tells how many outputs they have, the last activation what
   * these mean.
   *
   * @throws RuntimeException whatever DL4J throws if it can't predict a row
   */
  ExampleShape shape() {
    int outputs = Math.toIntExact(output(Nd4j.zeros(1, features)).length());
    return new ExampleShape(Math.toIntExact(features), outputs, target());
  }

  private INDArray output(INDArray rows) {
    return model instanceof MultiLayerNetwork layered
        ? layered.output(rows)
        : ((ComputationGraph) model).output(rows)[0];
  }

  private Target target() {
    IActivation activation = lastLayer instanceof BaseLayer last ? last.getActivationFn() : null;
    if (activation instanceof ActivationSoftmax) {
      return Target.CLASSIFICATION;
    }
    return activation instanceof ActivationSigmoid ? Target.MULTI_LABEL : Target.REGRESSION;
  }

  @Override
  public void close() {
    model.close();
  }
}
