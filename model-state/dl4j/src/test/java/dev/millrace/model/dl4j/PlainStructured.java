package dev.millrace.model.dl4j;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.ExampleShape;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * What a user of DL4J would write by hand for sequences and for two inputs and outputs: the
 * reference that replicas are held against, value by value.
 */
final class PlainStructured {

  private final ExampleShape shape;
  private final MultiLayerNetwork layered;
  private final ComputationGraph graph;

  PlainStructured(ModelSpec spec) {
    shape = spec.shape();
    if (spec.kind().equals("MultiLayerNetwork")) {
      graph = null;
      layered = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(spec.configuration()));
      layered.init();
    } else {
      layered = null;
      graph = new ComputationGraph(ComputationGraphConfiguration.fromJson(spec.configuration()));
      graph.init();
    }
  }

  void fit(Minibatch minibatch) {
    if (!shape.structure().isSequence()) {
      graph.fit(
          new INDArray[] {
            columns(minibatch.features(), minibatch.size(), 12, 4, 12),
            columns(minibatch.features(), minibatch.size(), 12, 0, 4)
          },
          new INDArray[] {
            columns(minibatch.labels(), minibatch.size(), 5, 3, 5),
            columns(minibatch.labels(), minibatch.size(), 5, 0, 3)
          });
      return;
    }
    int longest = longest(minibatch);
    INDArray features = turned(minibatch.features(), minibatch, shape.width(), longest);
    INDArray mask = mask(minibatch, longest);
    boolean each = shape.structure().labelPerStep();
    INDArray labels =
        each
            ? turned(minibatch.labels(), minibatch, shape.outputs(), longest)
            : columns(minibatch.labels(), minibatch.size(), shape.outputs(), 0, shape.outputs());
    if (layered != null) {
      layered.fit(features, labels, mask, each ? mask : null);
    } else {
      graph.fit(
          new INDArray[] {features},
          new INDArray[] {labels},
          new INDArray[] {mask},
          new INDArray[] {each ? mask : null});
    }
  }

  int iterations() {
    return layered == null
        ? graph.getConfiguration().getIterationCount()
        : layered.getLayerWiseConfigurations().getIterationCount();
  }

  float[] vector() {
    INDArray parameters = layered == null ? graph.params() : layered.params();
    INDArray state =
        layered == null
            ? graph.getUpdater().getStateViewArray()
            : layered.getUpdater().getStateViewArray();
    return Nd4j.concat(1, parameters.reshape(1, -1), state.reshape(1, -1)).data().asFloat();
  }

  private static int longest(Minibatch minibatch) {
    int longest = 0;
    for (int row = 0; row < minibatch.size(); row++) {
      longest = Math.max(longest, minibatch.steps(row));
    }
    return longest;
  }

  private INDArray turned(float[] values, Minibatch minibatch, int width, int longest) {
    INDArray array = Nd4j.zeros(minibatch.size(), width, longest);
    for (int row = 0; row < minibatch.size(); row++) {
      for (int step = 0; step < minibatch.steps(row); step++) {
        for (int i = 0; i < width; i++) {
          array.putScalar(
              row, i, step, values[(row * shape.structure().steps() + step) * width + i]);
        }
      }
    }
    return array;
  }

  private static INDArray mask(Minibatch minibatch, int longest) {
    INDArray mask = Nd4j.zeros(minibatch.size(), longest);
    for (int row = 0; row < minibatch.size(); row++) {
      for (int step = 0; step < minibatch.steps(row); step++) {
        mask.putScalar(row, step, 1);
      }
    }
    return mask;
  }

  private static INDArray columns(float[] values, int rows, int width, int from, int to) {
    INDArray array = Nd4j.zeros(rows, to - from);
    for (int row = 0; row < rows; row++) {
      for (int i = from; i < to; i++) {
        array.putScalar(row, i - from, values[row * width + i]);
      }
    }
    return array;
  }
}
