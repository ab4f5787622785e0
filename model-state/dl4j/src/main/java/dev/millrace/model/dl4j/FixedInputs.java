package dev.millrace.model.dl4j;

import dev.millrace.model.ModelSpec;
import java.util.Optional;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;

/** Networks that can't tell the gradients of their inputs. */
final class FixedInputs {

  private FixedInputs() {}

  /** Returns why a network can't, and what to do; empty where it can. */
  static Optional<String> reason(ModelSpec spec, Network network) {
    if (Dl4jEngine.hasIds(spec)) {
      return Optional.of(
          "it looks up ids in an embedding layer, and numbers of things have no gradients; take"
              + " dense layers in its place");
    }
    if (network.backpropagation() == BackpropType.TruncatedBPTT) {
      return Optional.of(
          "it learns by truncated backpropagation through time, which makes a step for each"
              + " segment; set backpropType to Standard");
    }
    // By the name of the class, which DL4J writes: the layer may be within another one.
    if (spec.configuration().contains('"' + FrozenLayer.class.getName() + '"')) {
      return Optional.of(
          "no gradient goes through its FrozenLayer; take FrozenLayerWithBackprop, or freeze the"
              + " layer by its name");
    }
    return Optional.empty();
  }
}
