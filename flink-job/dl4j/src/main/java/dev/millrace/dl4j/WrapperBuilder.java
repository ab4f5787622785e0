package dev.millrace.dl4j;

import dev.millrace.dl4j.options.NoMeaning;
import dev.millrace.dl4j.options.Thresholds;
import dev.millrace.dl4j.run.NetworkCounts;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.Preset;
import dev.millrace.model.dl4j.TrustedClasses;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.nd4j.common.function.Supplier;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what a builder is told of training, whatever it builds. What it isn't told is as in DL4J's
 * class.
 *
 * @param <T> the network, a MultiLayerNetwork or a ComputationGraph
 * @param <B> the builder itself
 */
abstract sealed class WrapperBuilder<T extends Model, B extends WrapperBuilder<T, B>>
    permits ParallelWrapper.Builder {

  private static final Logger LOG = LoggerFactory.getLogger(ParallelWrapper.class);

  private static final String SUPPLIED =
      " replaces what a worker has learned, and a failure couldn't be recovered from: set what"
          + " training starts from in the network before fit";

  private final T model;
  private final Map<String, String> options = new TreeMap<>();
  private int workers = Nd4j.getAffinityManager().getNumberOfDevices();
  private int prefetched = 16;
  private int averagingFrequency = 1;
  private boolean averageUpdaters = true;
  private boolean reportsScore;
  private ParallelWrapper.TrainingMode mode = ParallelWrapper.TrainingMode.AVERAGING;
  private ThresholdAlgorithm thresholdOrNull;
  private TrainingContext contextOrNull;

  WrapperBuilder(T model) {
    this.model = Objects.requireNonNull(model, "model");
    if (!(model instanceof MultiLayerNetwork) && !(model instanceof ComputationGraph)) {
      throw new IllegalArgumentException(
          "%s is neither a MultiLayerNetwork nor a ComputationGraph, and other models can't be trained side by side"
              .formatted(model.getClass().getName()));
    }
    if (!NetworkCounts.isInitialized(model)) {
      throw new IllegalArgumentException(
          "The network has no parameters yet: call its init() before");
    }
  }

  /** Sets how many copies of the network learn; as many as devices unless it is said. */
  public final B workers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("workers is %s; there is at least one".formatted(count));
    }
    workers = count;
    return self();
  }

  /** Sets the minibatches of a copy from one average to the next; 1 unless it is said. */
  public final B averagingFrequency(int frequency) {
    if (frequency < 1) {
      throw new IllegalArgumentException(
          "averagingFrequency is %s; a round has at least one minibatch of each worker"
              .formatted(frequency));
    }
    averagingFrequency = frequency;
    return self();
  }

  /** Sets whether the updater's state is averaged, too; it is unless it is said. */
  public final B averageUpdaters(boolean averaged) {
    averageUpdaters = averaged;
    return self();
  }

  /** Sets how many minibatches are read ahead, of all workers; 16 unless it is said. */
  public final B prefetchBuffer(int minibatches) {
    if (minibatches < 0) {
      throw new IllegalArgumentException(
          "prefetchBuffer is %s; it is a number of minibatches".formatted(minibatches));
    }
    prefetched = minibatches;
    return self();
  }

  /**
   * Sets how copies learn from each other; by averages unless it is said.
   *
   * @throws UnsupportedOperationException for {@link ParallelWrapper.TrainingMode#CUSTOM}
   */
  public final B trainingMode(ParallelWrapper.TrainingMode how) {
    if (how == ParallelWrapper.TrainingMode.CUSTOM) {
      throw new UnsupportedOperationException(
          "CUSTOM needs a GradientsAccumulator, and its threads and queues are of one process:"
              + " take SHARED_GRADIENTS");
    }
    mode = Objects.requireNonNull(how, "how");
    return self();
  }

  /**
   * Sets how shared gradients are encoded. Without a word a threshold lets the same share of each
   * layer through.
   *
   * @throws UnsupportedOperationException for an algorithm that isn't DL4J's
   */
  public final B thresholdAlgorithm(ThresholdAlgorithm algorithm) {
    Thresholds.options(algorithm);
    thresholdOrNull = algorithm;
    return self();
  }

  /** Takes what works on gradients that aren't sent yet; they are kept exactly here. */
  public final B residualPostProcessor(ResidualPostProcessor processor) {
    Thresholds.take(processor, "residualPostProcessor");
    return self();
  }

  /** Sets whether the log has each round's score. */
  public final B reportScoreAfterAveraging(boolean reported) {
    reportsScore = reported;
    return self();
  }

  /** Takes a mode of workspaces, which the network's own configuration decides here. */
  public final B workspaceMode(WorkspaceMode workspaces) {
    NoMeaning.say("workspaceMode", "the network's own configuration decides");
    return self();
  }

  /** Takes a size of buffers; there are none here. */
  public final B temporaryMemory(Long bytes) {
    NoMeaning.say("temporaryMemory", "gradients are encoded where they are");
    return self();
  }

  /** Takes arguments of trainers; there are none here. */
  public final B trainerContextArgs(Object... arguments) {
    NoMeaning.say("trainerContextArgs", "there are no trainers, but a Flink job's replicas");
    return self();
  }

  /** Refuses trainers of one's own; null is none. */
  public final B trainerFactory(Object factory) {
    refuse(
        factory,
        "trainerFactory makes threads that train, and a Flink job's replicas do that here: leave"
            + " it out, and choose by trainingMode");
    return self();
  }

  /** Refuses parameters that come from elsewhere while training goes on; null is none. */
  public final B modelParamsSupplier(Supplier<INDArray> supplier) {
    refuse(supplier, "modelParamsSupplier" + SUPPLIED);
    return self();
  }

  /** Refuses an updater's state that comes from elsewhere while training goes on; null is none. */
  public final B updaterParamsSupplier(Supplier<INDArray> supplier) {
    refuse(supplier, "updaterParamsSupplier" + SUPPLIED);
    return self();
  }

  /** Refuses an exchange of one's own; null is none. */
  public final B gradientsAccumulator(GradientsAccumulator accumulator) {
    refuse(
        accumulator,
        "A GradientsAccumulator's threads and queues are of one process: take"
            + " trainingMode(SHARED_GRADIENTS) with thresholdAlgorithm(…)");
    return self();
  }

  private static void refuse(Object givenOrNull, String why) {
    if (givenOrNull != null) {
      throw new UnsupportedOperationException(why);
    }
  }

  /**
   * Sets where it is trained; in this process unless it is said. Whoever made the context closes
   * it.
   */
  public final B context(TrainingContext where) {
    contextOrNull = Objects.requireNonNull(where, "where");
    return self();
  }

  /**
   * Keeps what is measured in a file, and says in the log how to follow it in a browser.
   *
   * @param file that measures are appended to, on the machine where the job runs
   */
  public final B watch(String file) {
    options.put(MetricsOptions.FILE.key(), file);
    return self();
  }

  /**
   * Lets networks name layers, losses and activations of the program's own. It holds in this
   * process; for a cluster the program's jar names them in {@value TrustedClasses#FILE}.
   */
  public final B trustClasses(Class<?>... own) {
    TrustedClasses.trust(own);
    return self();
  }

  /** Sets any option of docs/reference/options.md; it wins over other methods. */
  public final B option(String key, String value) {
    options.put(key, value);
    return self();
  }

  @SuppressWarnings("unchecked") // It is the only one that extends this class.
  private B self() {
    return (B) this;
  }

  final T model() {
    return model;
  }

  /** Returns where it is trained; null where nothing was said. */
  final TrainingContext contextOrNull() {
    return contextOrNull;
  }

  final RunSettings settings() {
    Map<String, String> all = new TreeMap<>();
    if (mode == ParallelWrapper.TrainingMode.SHARED_GRADIENTS) {
      all.put(ExchangeOptions.PRESET.key(), Preset.GRADIENT_SHARING.toString());
      if (thresholdOrNull != null) {
        all.putAll(Thresholds.options(thresholdOrNull));
      }
    } else {
      all.put(RunSettings.LOCAL_STEPS, Integer.toString(averagingFrequency));
      all.put(RunSettings.AVERAGE_UPDATER, Boolean.toString(averageUpdaters));
    }
    all.putAll(options);
    String file = all.get(MetricsOptions.FILE.key());
    if (file != null) {
      LOG.info("To see how it learns: millrace watch --metrics {}", file);
    }
    return new RunSettings(workers, prefetched, reportsScore, all);
  }
}
