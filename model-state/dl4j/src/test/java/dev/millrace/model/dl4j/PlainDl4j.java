package dev.millrace.model.dl4j;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelSpec;
import java.util.Arrays;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/** What a user of DL4J would write by hand: the reference that replicas are held against. */
final class PlainDl4j {

  private final Model network;
  private final long[] rowShape;

  /**
   * @param rowShape of one example's features, as the network takes them
   */
  PlainDl4j(ModelSpec spec, long... rowShape) {
    this.rowShape = rowShape;
    if (spec.kind().equals("MultiLayerNetwork")) {
      MultiLayerNetwork layered =
          new MultiLayerNetwork(MultiLayerConfiguration.fromJson(spec.configuration()));
      layered.init();
      network = layered;
    } else {
      ComputationGraph graph =
          new ComputationGraph(ComputationGraphConfiguration.fromJson(spec.configuration()));
      graph.init();
      network = graph;
    }
  }

  PlainDl4j(Model network, long... rowShape) {
    this.network = network;
    this.rowShape = rowShape;
  }

  void fit(Minibatch minibatch) {
    INDArray labels =
        Nd4j.createFromArray(
                Arrays.copyOf(minibatch.labels(), minibatch.size() * minibatch.shape().outputs()))
            .reshape(minibatch.size(), minibatch.shape().outputs());
    DataSet data = new DataSet(features(minibatch), labels);
    if (network instanceof MultiLayerNetwork layered) {
      layered.fit(data);
    } else {
      ((ComputationGraph) network).fit(data);
    }
  }

  float[] output(Minibatch minibatch) {
    return output(features(minibatch));
  }

  float[] output(INDArray features) {
    INDArray output =
        network instanceof MultiLayerNetwork layered
            ? layered.output(features)
            : ((ComputationGraph) network).outputSingle(features);
    return output.dup('c').data().asFloat();
  }

  /** [parameters | updater state]. */
  float[] vector() {
    INDArray state =
        network instanceof MultiLayerNetwork layered
            ? layered.getUpdater().getStateViewArray()
            : ((ComputationGraph) network).getUpdater().getStateViewArray();
    INDArray parameters = network.params();
    return (state == null ? parameters : Nd4j.concat(0, parameters, state)).data().asFloat();
  }

  private INDArray features(Minibatch minibatch) {
    long[] shape = new long[rowShape.length + 1];
    shape[0] = minibatch.size();
    System.arraycopy(rowShape, 0, shape, 1, rowShape.length);
    int length = minibatch.size() * minibatch.shape().features();
    return Nd4j.createFromArray(Arrays.copyOf(minibatch.features(), length)).reshape(shape);
  }
}
