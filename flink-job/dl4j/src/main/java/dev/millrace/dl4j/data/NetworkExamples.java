package dev.millrace.dl4j.data;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;

/**
 * Says by options what examples a network takes: sizes follow from a minibatch, targets from the
 * activations of the outputs.
 */
public final class NetworkExamples {

  private NetworkExamples() {}

  /**
   * Returns the options that say so.
   *
   * @param sample any minibatch; of sequences one with the longest
   * @throws IllegalArgumentException if the model is no network of DL4J
   */
  public static Map<String, String> options(Model network, MinibatchRows sample) {
    Map<String, String> options = new TreeMap<>();
    if (sample.steps() > 0) {
      options.put(StructureOptions.SEQUENCE_STEPS.key(), Integer.toString(sample.steps()));
      if (sample.labelPerStep()) {
        options.put(
            StructureOptions.SEQUENCE_LABELS.key(), StructureOptions.Labels.STEP.toString());
      }
    }
    options.put(InputOptions.FEATURES.key(), sum(sample.featureWidths()));
    options.put(InputOptions.OUTPUTS.key(), sum(sample.labelWidths()));
    if (network instanceof ComputationGraph graph) {
      putGraph(options, graph, sample);
    } else if (network instanceof MultiLayerNetwork layers) {
      options.put(
          InputOptions.TARGET.key(), target(layers.getLayer(layers.getnLayers() - 1)).toString());
    } else {
      throw new IllegalArgumentException(
          "%s is neither a MultiLayerNetwork nor a ComputationGraph"
              .formatted(network.getClass().getName()));
    }
    return options;
  }

  private static void putGraph(
      Map<String, String> options, ComputationGraph graph, MinibatchRows sample) {
    List<String> inputs = graph.getConfiguration().getNetworkInputs();
    List<String> outputs = graph.getConfiguration().getNetworkOutputs();
    requireAsMany("features", sample.featureWidths().size(), "inputs", inputs);
    requireAsMany("labels", sample.labelWidths().size(), "outputs", outputs);
    if (inputs.size() == 1 && outputs.size() == 1) {
      options.put(InputOptions.TARGET.key(), target(graph.getOutputLayer(0)).toString());
      return;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      names.add(inputs.get(i) + ":" + sample.featureWidths().get(i));
    }
    options.put(StructureOptions.GRAPH_INPUTS.key(), String.join(";", names));
    names.clear();
    for (int i = 0; i < outputs.size(); i++) {
      names.add(
          "%s:%s:%s"
              .formatted(
                  outputs.get(i), sample.labelWidths().get(i), target(graph.getOutputLayer(i))));
    }
    options.put(StructureOptions.GRAPH_OUTPUTS.key(), String.join(";", names));
  }

  private static void requireAsMany(String what, int arrays, String ends, List<String> names) {
    if (arrays != names.size()) {
      throw new IllegalArgumentException(
          "The network has the %s %s, and a minibatch has %s arrays of %s"
              .formatted(ends, names, arrays, what));
    }
  }

  private static Target target(Layer output) {
    if (output.conf().getLayer() instanceof BaseLayer layer) {
      IActivation activation = layer.getActivationFn();
      if (activation instanceof ActivationSoftmax) {
        return Target.CLASSIFICATION;
      }
      if (activation instanceof ActivationSigmoid) {
        return Target.MULTI_LABEL;
      }
    }
    return Target.REGRESSION;
  }

  private static String sum(List<Integer> widths) {
    return Integer.toString(widths.stream().mapToInt(Integer::intValue).sum());
  }
}
