package dev.millrace.benchmark.peer;

import java.util.Objects;

/**
 * A PyTorch network and how it learns.
 *
 * @param module path of its TorchScript archive, which gives logits
 * @param updater {@code nesterovs} or {@code adam}
 * @param momentum of {@code nesterovs}
 */
public record TorchNetwork(String module, String updater, double learningRate, double momentum) {

  public TorchNetwork {
    Objects.requireNonNull(module, "module");
    if (!updater.equals("nesterovs") && !updater.equals("adam")) {
      throw new IllegalArgumentException(
          "The updater of a PyTorch network is nesterovs or adam here, not " + updater);
    }
  }
}
