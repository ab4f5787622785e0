package dev.millrace.benchmark.peer;

import java.util.Optional;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/**
 * A network and what it learns from.
 *
 * @param networkJson what DL4J's {@code MultiLayerConfiguration.toJson()} gives, with a seed
 * @param torch the same network as PyTorch has it
 */
public record Workload(String networkJson, Examples examples, Optional<TorchNetwork> torch) {

  /** Makes a workload for DL4J alone. */
  public Workload(String networkJson, Examples examples) {
    this(networkJson, examples, Optional.empty());
  }

  /** A network as it is before its first example: the seed's, the same at every call. */
  public MultiLayerNetwork newNetwork() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(MultiLayerConfiguration.fromJson(networkJson));
    network.init();
    return network;
  }
}
