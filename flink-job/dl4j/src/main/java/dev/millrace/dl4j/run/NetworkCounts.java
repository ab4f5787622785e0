package dev.millrace.dl4j.run;

import java.util.regex.Pattern;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** What DL4J's two kinds of networks count, each in its own way. */
public final class NetworkCounts {

  private static final Pattern EPOCH_SCHEDULE =
      Pattern.compile("\"scheduleType\"\\s*:\\s*\"EPOCH\"");

  private NetworkCounts() {}

  /** Whether a network has its parameters. */
  public static boolean isInitialized(Model network) {
    return network instanceof MultiLayerNetwork layers
        ? layers.isInitCalled()
        : ((ComputationGraph) network).getLayers() != null;
  }

  /** Returns the epochs that a network has behind it. */
  public static int epochs(Model network) {
    return network instanceof MultiLayerNetwork layers
        ? layers.getEpochCount()
        : ((ComputationGraph) network).getConfiguration().getEpochCount();
  }

  /** Adds epochs to those that a network has behind it. */
  public static void addEpochs(Model network, int more) {
    int epochs = epochs(network) + more;
    if (network instanceof MultiLayerNetwork layers) {
      layers.setEpochCount(epochs);
    } else {
      ((ComputationGraph) network).getConfiguration().setEpochCount(epochs);
    }
  }

  /** Whether a rate or a momentum of a network goes by its epochs. */
  public static boolean schedulesByEpoch(Model network) {
    String configuration =
        network instanceof MultiLayerNetwork layers
            ? layers.getLayerWiseConfigurations().toJson()
            : ((ComputationGraph) network).getConfiguration().toJson();
    return EPOCH_SCHEDULE.matcher(configuration).find();
  }

  static void setScore(Model network, double score) {
    if (network instanceof MultiLayerNetwork layers) {
      layers.setScore(score);
    } else {
      ((ComputationGraph) network).setScore(score);
    }
  }

  /**
   * Counts an iteration where training had fewer examples than one has: of many such trainings
   * schedules, and the corrections of Adam, would never come off the ground.
   *
   * @param before that the network had
   * @param learned examples since
   */
  public static void requireMore(Model network, int before, long learned) {
    if (learned > 0 && iterations(network) == before) {
      setIterations(network, before + 1);
    }
  }

  /** Returns the iterations that a network has behind it. */
  public static int iterations(Model network) {
    return network instanceof MultiLayerNetwork layers
        ? layers.getIterationCount()
        : ((ComputationGraph) network).getConfiguration().getIterationCount();
  }

  static void setIterations(Model network, int iterations) {
    if (network instanceof MultiLayerNetwork layers) {
      layers.setIterationCount(iterations);
    } else {
      ((ComputationGraph) network).getConfiguration().setIterationCount(iterations);
    }
  }

  /**
   * Gives a network as many rows of input and labels, without any value that means something, and
   * no gradients.
   */
  static void setInputRows(Model network, long rows) {
    INDArray input = Nd4j.create(DataType.INT8, rows, 1);
    if (network instanceof MultiLayerNetwork layers) {
      layers.setInput(input);
      layers.setLabels(input);
      layers.setGradient(new DefaultGradient());
    } else {
      ((ComputationGraph) network).setInput(0, input);
      ((ComputationGraph) network).setGradient(new DefaultGradient());
    }
  }
}
