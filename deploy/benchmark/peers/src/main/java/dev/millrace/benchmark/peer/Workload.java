package dev.millrace.benchmark.peer;

import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/**
 * A network and what it learns from.
 *
 * @param networkJson what DL4J's {@code MultiLayerConfiguration.toJson()} gives, with a seed
 */
public record Workload(String networkJson, Examples examples) {

  /** A network as it is before its first example: the seed's, the same at every call. */
  public MultiLayerNetwork newNetwork() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(MultiLayerConfiguration.fromJson(networkJson));
    network.init();
    return network;
  }
}
