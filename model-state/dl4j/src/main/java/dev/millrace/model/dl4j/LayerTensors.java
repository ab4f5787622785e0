package dev.millrace.model.dl4j;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.TensorDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Where in a layer's parameters each of them is, by DL4J's name: {@code W} weights, {@code b}
 * biases and so on, each as one vector in DL4J's order. Only the layer knows; it is asked to divide
 * an array, which is never written to.
 */
final class LayerTensors {

  private LayerTensors() {}

  /** Returns a layer's tensors in their order; one of them all where the layer doesn't tell. */
  static List<TensorDescription> of(
      LayerDescription layer, NeuralNetConfiguration configurationOrNull) {
    int length = layer.parameters().length();
    int from = layer.parameters().from();
    List<TensorDescription> tensors =
        configurationOrNull == null ? List.of() : divided(layer, configurationOrNull);
    int next = from;
    for (TensorDescription tensor : tensors) {
      if (tensor.from() != next) {
        break;
      }
      next += tensor.length();
    }
    return next == from + length
        ? tensors
        : List.of(new TensorDescription(layer.name(), List.of((long) length), from));
  }

  private static List<TensorDescription> divided(
      LayerDescription layer, NeuralNetConfiguration configuration) {
    List<TensorDescription> tensors = new ArrayList<>();
    try (INDArray all = Nd4j.createUninitialized(DataType.FLOAT, 1, layer.parameters().length())) {
      Map<String, INDArray> views =
          configuration.getLayer().initializer().getGradientsFromFlattened(configuration, all);
      views.forEach(
          (name, view) ->
              tensors.add(
                  new TensorDescription(
                      layer.name() + "." + name,
                      List.of(view.length()),
                      Math.toIntExact(layer.parameters().from() + view.offset()))));
    }
    tensors.sort(Comparator.comparingInt(TensorDescription::from));
    return tensors;
  }
}
