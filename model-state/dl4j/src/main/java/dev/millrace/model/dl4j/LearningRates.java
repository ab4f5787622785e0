package dev.millrace.model.dl4j;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ISchedule;

/**
 * The learning rates and momenta that a network's updaters go by: those of its configuration, rates
 * times a factor, and of another iteration than the updaters' own count.
 *
 * <p>Belongs to the network's thread.
 */
final class LearningRates {

  private final Network network;
  private double proportional = 1;
  private double adaptive = 1;
  private int ahead;
  private boolean installed;

  /** Begins with the rates as the initialized network has them. */
  LearningRates(Network network) {
    this.network = network;
  }

  /** What an updater said, as this has it. */
  private final class Adjusted implements ISchedule {

    private final IUpdater original;
    private final boolean isProportional;

    private Adjusted(IUpdater original) {
      this.original = original;
      this.isProportional = original instanceof Sgd || original instanceof Nesterovs;
    }

    @Override
    public double valueAt(int iteration, int epoch) {
      double rate = original.getLearningRate(iteration + ahead, epoch);
      return rate * (isProportional ? proportional : adaptive);
    }

    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public ISchedule clone() {
      return this;
    }
  }

  /** What an updater's configuration schedules its momentum by. */
  private final class Momentum implements ISchedule {

    private final ISchedule original;

    private Momentum(ISchedule original) {
      this.original = original;
    }

    @Override
    public double valueAt(int iteration, int epoch) {
      return original.valueAt(iteration + ahead, epoch);
    }

    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public ISchedule clone() {
      return this;
    }
  }

  /** See {@link Dl4jReplica#scaleLearningRates}. */
  void scale(double ofProportional, double ofAdaptive) {
    proportional = ofProportional;
    adaptive = ofAdaptive;
    install();
  }

  /**
   * Returns by how many iterations schedules are ahead of the updaters' count; negative if behind.
   */
  int ahead() {
    return ahead;
  }

  void setAhead(int iterations) {
    ahead = iterations;
    if (iterations != 0) {
      install();
    }
  }

  private void install() {
    if (installed) {
      return;
    }
    installed = true;
    // Layers and blocks may share an updater, which must not be adjusted twice.
    Set<IUpdater> updaters = Collections.newSetFromMap(new IdentityHashMap<>());
    for (UpdaterBlock block : network.updaterBlocks()) {
      updaters.add(block.getGradientUpdater().getConfig());
      for (UpdaterBlock.ParamState state : block.getLayersAndVariablesInBlock()) {
        updaters.add(state.getLayer().getConfig().getUpdaterByParam(state.getParamName()));
      }
    }
    for (IUpdater updater : updaters) {
      if (updater.hasLearningRate()) {
        updater.setLrAndSchedule(updater.getLearningRate(0, 0), new Adjusted(updater.clone()));
      }
      if (updater instanceof Nesterovs nesterovs && nesterovs.getMomentumISchedule() != null) {
        nesterovs.setMomentumISchedule(new Momentum(nesterovs.getMomentumISchedule()));
      }
    }
  }
}
