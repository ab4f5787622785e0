package dev.millrace.model.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.TrainingConfig;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.layers.FrozenLayerWithBackprop;
import org.deeplearning4j.nn.updater.UpdaterBlock;

/** Keeps layers that don't learn as they are. */
final class FrozenLayers {

  private FrozenLayers() {}

  /**
   * Takes penalties on weights off layers that only pass gradients on: their own are zero, and DL4J
   * (1.0.0-M2.1) adds the penalties to these all the same. Layers that are frozen in the other way
   * have none.
   *
   * @param blocks of an initialized network
   */
  static void unpenalize(List<UpdaterBlock> blocks) {
    for (UpdaterBlock block : blocks) {
      for (UpdaterBlock.ParamState parameter : block.getLayersAndVariablesInBlock()) {
        TrainingConfig configuration = parameter.getLayer().getConfig();
        if (parameter.getLayer() instanceof FrozenLayerWithBackprop
            && configuration instanceof BaseLayer layer) {
          layer.setRegularization(List.of());
          layer.setRegularizationBias(List.of());
        }
      }
    }
  }
}
