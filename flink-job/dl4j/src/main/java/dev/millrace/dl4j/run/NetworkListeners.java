package dev.millrace.dl4j.run;

import java.util.Collection;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;

/** Listeners that a network has itself. */
public final class NetworkListeners {

  private NetworkListeners() {}

  /** Returns them. */
  public static Collection<TrainingListener> of(Model network) {
    return network instanceof MultiLayerNetwork layers
        ? layers.getListeners()
        : ((ComputationGraph) network).getListeners();
  }
}
