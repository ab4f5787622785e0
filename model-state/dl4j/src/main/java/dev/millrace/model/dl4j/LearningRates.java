package dev.millrace.model.dl4j;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.schedule.ISchedule;

/** Changes the learning rates that a network's updaters go by. */
final class LearningRates {

  /** What an updater said, times a factor. */
  private record Scaled(IUpdater original, double factor) implements ISchedule {

    @Override
    public double valueAt(int iteration, int epoch) {
      return factor * original.getLearningRate(iteration, epoch);
    }

    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public ISchedule clone() {
      return this;
    }
  }

  private LearningRates() {}

  /** Multiplies every learning rate, scheduled or not, of the initialized network by a factor. */
  static void scale(Network network, double factor) {
    // Layers and blocks may share an updater, which must not be scaled twice.
    Set<IUpdater> updaters = Collections.newSetFromMap(new IdentityHashMap<>());
    for (UpdaterBlock block : network.updaterBlocks()) {
      updaters.add(block.getGradientUpdater().getConfig());
      for (UpdaterBlock.ParamState state : block.getLayersAndVariablesInBlock()) {
        updaters.add(state.getLayer().getConfig().getUpdaterByParam(state.getParamName()));
      }
    }
    for (IUpdater updater : updaters) {
      if (updater.hasLearningRate()) {
        updater.setLrAndSchedule(
            updater.getLearningRate(0, 0), new Scaled(updater.clone(), factor));
      }
    }
  }
}
