package dev.millrace.dl4j;

import dev.millrace.dl4j.options.NoMeaning;
import dev.millrace.dl4j.options.Thresholds;
import dev.millrace.dl4j.run.Audience;
import dev.millrace.dl4j.run.NetworkCounts;
import dev.millrace.dl4j.run.News;
import dev.millrace.dl4j.run.Statistics;
import dev.millrace.dl4j.source.RowsIterator;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.Preset;
import dev.millrace.model.dl4j.TrustedClasses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.nd4j.common.function.Supplier;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains copies of a network side by side, as DL4J's class of this name does: by a Flink job, in
 * this process unless a context says where else. After {@link #fit} the network has what all of
 * them learned.
 *
 * <p>Listeners of the network and of the wrapper are told, on the thread that calls {@link #fit},
 * of rounds as iterations, and of epochs; where there are any, each epoch is a job. The score is
 * the mean loss of the round's examples before they were learned, without penalties on weights.
 *
 * <p>Calls of one wrapper come one after the other. {@link #stopFit} may come from any thread.
 */
@PublicEvolving
public final class ParallelWrapper implements AutoCloseable {

  /** How the copies learn from each other. */
  public enum TrainingMode {
    /** Parameters are averaged. */
    AVERAGING,
    /** Gradients are shared, encoded by a threshold. */
    SHARED_GRADIENTS,
    /** An exchange of one's own; it is refused. */
    CUSTOM
  }

  private static final Logger LOG = LoggerFactory.getLogger(ParallelWrapper.class);

  private final Model model;
  private final RunSettings settings;
  private final TrainingContext context;
  private final boolean ownsContext;
  private final List<TrainingListener> listeners = new ArrayList<>();

  private int iterations;
  private volatile TrainingRun running;

  ParallelWrapper(Model model, RunSettings settings, TrainingContext contextOrNull) {
    this.model = model;
    this.settings = settings;
    this.ownsContext = contextOrNull == null;
    this.context = ownsContext ? TrainingContext.embedded() : contextOrNull;
  }

  /**
   * Learns from all minibatches of an iterator, each once.
   *
   * @throws TrainingFailedException if that fails for good; the network is as it was then
   */
  public void fit(DataSetIterator source) {
    fit(source, 1);
  }

  /**
   * Learns from an iterator for a number of epochs.
   *
   * @throws IllegalArgumentException if the iterator would have to be reset, and can't be
   * @throws TrainingFailedException if it fails for good; the network is as it was then, or as it
   *     was after the epoch before, if there are listeners
   */
  public void fit(DataSetIterator source, int epochs) {
    fit(RowsIterator.of(source), epochs);
  }

  /** Learns from an iterator of several inputs or outputs, each minibatch once. */
  public void fit(MultiDataSetIterator source) {
    fit(source, 1);
  }

  /** Learns from an iterator of several inputs or outputs for a number of epochs. */
  public void fit(MultiDataSetIterator source, int epochs) {
    fit(RowsIterator.of(source), epochs);
  }

  /**
   * Learns from a source of data sets, each once, until it ends or {@link #stopFit} is called. What
   * examples are like follows from the network's layers, or is said by options. A replica's
   * minibatch has as many examples as the option {@code batch.local-size} says, whatever the data
   * sets have.
   *
   * @param source of any kind that gives its records again after a failure
   * @throws TrainingFailedException if that fails for good; the network is as it was then
   */
  public synchronized void fit(Source<DataSet, ?, ?> source) {
    fit(context, DataSetStream.of(source));
  }

  /**
   * Learns from a stream of data sets as from {@link #fit(Source)}, by a job of the stream's own
   * environment: what else the program has added to that runs along. Its settings stay, but for
   * those of checkpoints and restarts that the program hasn't made.
   *
   * @param stream of the type {@link DataSets#type()}
   */
  public synchronized void fit(DataStream<DataSet> stream) {
    StreamExecutionEnvironment environment = stream.getExecutionEnvironment();
    int before = environment.getParallelism();
    try (TrainingContext where = context.around(environment)) {
      fit(where, DataSetStream.of(stream));
    } finally {
      environment.setParallelism(before);
    }
  }

  private void fit(TrainingContext where, DataSetStream stream) {
    run(where, 1, audience(), run -> run.fit(stream));
  }

  private Audience audience() {
    List<TrainingListener> all = new ArrayList<>(listeners);
    all.addAll(own());
    return new Audience(model, all, iterations);
  }

  private synchronized void fit(RowsIterator<?> source, int epochs) {
    if (epochs < 1) {
      throw new IllegalArgumentException("epochs is %s; there is at least one".formatted(epochs));
    }
    if (epochs > 1 && !source.canReset()) {
      throw new IllegalArgumentException(
          "The iterator can't begin again (resetSupported is false), and %s epochs were asked for"
              .formatted(epochs));
    }
    Audience audience = audience();
    int jobs = audience.isEmpty() ? 1 : epochs;
    boolean stopped = false;
    for (int job = 0; job < jobs && !stopped; job++) {
      int passes = epochs / jobs;
      stopped = run(context, passes, audience, run -> run.fit(source, passes));
    }
  }

  /** Returns whether it was stopped. */
  private boolean run(
      TrainingContext where, int epochs, Audience audience, Consumer<TrainingRun> training) {
    TrainingRun run =
        new TrainingRun(where, model, settings, new News(model, audience, settings.reportsScore()));
    running = run;
    audience.epochStarts();
    try {
      training.accept(run);
    } finally {
      running = null;
      iterations = audience.iterations();
    }
    if (!run.isStopped()) {
      audience.epochEnds();
      NetworkCounts.addEpochs(model, epochs);
    }
    return run.isStopped();
  }

  private Collection<TrainingListener> own() {
    return model instanceof MultiLayerNetwork layers
        ? layers.getListeners()
        : ((ComputationGraph) model).getListeners();
  }

  /**
   * Ends {@link #fit} soon, with what is learned by then. An epoch that isn't at its end doesn't
   * count as one.
   */
  public void stopFit() {
    TrainingRun run = running;
    if (run != null) {
      run.stop();
    }
  }

  /** Has listeners told of rounds, as iterations, and of epochs. */
  public void setListeners(TrainingListener... told) {
    setListeners(Arrays.asList(told));
  }

  /** Has listeners told of rounds, as iterations, and of epochs. */
  public synchronized void setListeners(Collection<? extends TrainingListener> told) {
    listeners.clear();
    listeners.addAll(told);
  }

  /**
   * Has listeners told, and says in the log what takes the place of a storage of statistics.
   *
   * @param statsStorage DL4J's StatsStorageRouter; nothing is put into it
   */
  public void setListeners(Object statsStorage, TrainingListener... told) {
    setListeners(statsStorage, Arrays.asList(told));
  }

  /**
   * Has listeners told, and says in the log what takes the place of a storage of statistics.
   *
   * @param statsStorage DL4J's StatsStorageRouter; nothing is put into it
   */
  public void setListeners(Object statsStorage, Collection<? extends TrainingListener> told) {
    if (statsStorage != null) {
      Statistics.say(statsStorage.getClass().getSimpleName());
    }
    setListeners(told);
  }

  /** Returns the network that is trained. */
  public Model getModel() {
    return model;
  }

  /** Returns how many copies learn. */
  public int getWorkers() {
    return settings.workers();
  }

  /** Returns how many minibatches are read ahead. */
  public int getPrefetchSize() {
    return settings.prefetched();
  }

  /** Returns the minibatches of a copy from one average to the next. */
  public int getAveragingFrequency() {
    return settings.localSteps();
  }

  /** Whether the updater's state is averaged, too. */
  public boolean isAverageUpdaters() {
    return Boolean.parseBoolean(
        settings.options().getOrDefault(RunSettings.AVERAGE_UPDATER, "false"));
  }

  /** Whether the log has each round's score. */
  public boolean isReportScore() {
    return settings.reportsScore();
  }

  /** Returns the wrapper's own listeners. */
  public synchronized List<TrainingListener> getListeners() {
    return List.copyOf(listeners);
  }

  /** Ends what runs in this process, unless it is of a context that was given. */
  public synchronized void shutdown() {
    if (ownsContext) {
      context.close();
    }
  }

  @Override
  public void close() {
    shutdown();
  }

  /**
   * Says how a network is trained; without a word as DL4J's class does it.
   *
   * @param <T> the network, a MultiLayerNetwork or a ComputationGraph
   */
  @PublicEvolving
  public static final class Builder<T extends Model> {

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
    private TrainingMode mode = TrainingMode.AVERAGING;
    private ThresholdAlgorithm thresholdOrNull;
    private TrainingContext contextOrNull;

    /**
     * @throws IllegalArgumentException if it is no network that can be trained
     */
    public Builder(T model) {
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
    public Builder<T> workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("workers is %s; there is at least one".formatted(count));
      }
      workers = count;
      return this;
    }

    /** Sets the minibatches of a copy from one average to the next; 1 unless it is said. */
    public Builder<T> averagingFrequency(int frequency) {
      if (frequency < 1) {
        throw new IllegalArgumentException(
            "averagingFrequency is %s; a round has at least one minibatch of each worker"
                .formatted(frequency));
      }
      averagingFrequency = frequency;
      return this;
    }

    /** Sets whether the updater's state is averaged, too; it is unless it is said. */
    public Builder<T> averageUpdaters(boolean averaged) {
      averageUpdaters = averaged;
      return this;
    }

    /** Sets how many minibatches are read ahead, of all workers; 16 unless it is said. */
    public Builder<T> prefetchBuffer(int minibatches) {
      if (minibatches < 0) {
        throw new IllegalArgumentException(
            "prefetchBuffer is %s; it is a number of minibatches".formatted(minibatches));
      }
      prefetched = minibatches;
      return this;
    }

    /**
     * Sets how copies learn from each other; by averages unless it is said.
     *
     * @throws UnsupportedOperationException for {@link TrainingMode#CUSTOM}
     */
    public Builder<T> trainingMode(TrainingMode how) {
      if (how == TrainingMode.CUSTOM) {
        throw new UnsupportedOperationException(
            "CUSTOM needs a GradientsAccumulator, and its threads and queues are of one process:"
                + " take SHARED_GRADIENTS");
      }
      mode = Objects.requireNonNull(how, "how");
      return this;
    }

    /**
     * Sets how shared gradients are encoded. Without a word a threshold lets the same share of each
     * layer through.
     *
     * @throws UnsupportedOperationException for an algorithm that isn't DL4J's
     */
    public Builder<T> thresholdAlgorithm(ThresholdAlgorithm algorithm) {
      Thresholds.options(algorithm);
      thresholdOrNull = algorithm;
      return this;
    }

    /** Takes what works on gradients that aren't sent yet; they are kept exactly here. */
    public Builder<T> residualPostProcessor(ResidualPostProcessor processor) {
      Thresholds.take(processor, "residualPostProcessor");
      return this;
    }

    /** Sets whether the log has each round's score. */
    public Builder<T> reportScoreAfterAveraging(boolean reported) {
      reportsScore = reported;
      return this;
    }

    /** Takes a mode of workspaces, which the network's own configuration decides here. */
    public Builder<T> workspaceMode(WorkspaceMode workspaces) {
      NoMeaning.say("workspaceMode", "the network's own configuration decides");
      return this;
    }

    /** Takes a size of buffers; there are none here. */
    public Builder<T> temporaryMemory(Long bytes) {
      NoMeaning.say("temporaryMemory", "gradients are encoded where they are");
      return this;
    }

    /** Takes arguments of trainers; there are none here. */
    public Builder<T> trainerContextArgs(Object... arguments) {
      NoMeaning.say("trainerContextArgs", "there are no trainers, but a Flink job's replicas");
      return this;
    }

    /** Refuses trainers of one's own; null is none. */
    public Builder<T> trainerFactory(Object factory) {
      refuse(
          factory,
          "trainerFactory makes threads that train, and a Flink job's replicas do that here: leave"
              + " it out, and choose by trainingMode");
      return this;
    }

    /** Refuses parameters that come from elsewhere while training goes on; null is none. */
    public Builder<T> modelParamsSupplier(Supplier<INDArray> supplier) {
      refuse(supplier, "modelParamsSupplier" + SUPPLIED);
      return this;
    }

    /**
     * Refuses an updater's state that comes from elsewhere while training goes on; null is none.
     */
    public Builder<T> updaterParamsSupplier(Supplier<INDArray> supplier) {
      refuse(supplier, "updaterParamsSupplier" + SUPPLIED);
      return this;
    }

    /** Refuses an exchange of one's own; null is none. */
    public Builder<T> gradientsAccumulator(GradientsAccumulator accumulator) {
      refuse(
          accumulator,
          "A GradientsAccumulator's threads and queues are of one process: take"
              + " trainingMode(SHARED_GRADIENTS) with thresholdAlgorithm(…)");
      return this;
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
    public Builder<T> context(TrainingContext where) {
      contextOrNull = Objects.requireNonNull(where, "where");
      return this;
    }

    /**
     * Keeps what is measured in a file, and says in the log how to follow it in a browser.
     *
     * @param file that measures are appended to, on the machine where the job runs
     */
    public Builder<T> watch(String file) {
      options.put(MetricsOptions.FILE.key(), file);
      return this;
    }

    /**
     * Lets networks name layers, losses and activations of the program's own. It holds in this
     * process; for a cluster the program's jar names them in {@value TrustedClasses#FILE}.
     */
    public Builder<T> trustClasses(Class<?>... own) {
      TrustedClasses.trust(own);
      return this;
    }

    /** Sets any option of docs/reference/options.md; it wins over other methods. */
    public Builder<T> option(String key, String value) {
      options.put(key, value);
      return this;
    }

    /** Makes the wrapper. */
    public ParallelWrapper build() {
      return new ParallelWrapper(model, settings(), contextOrNull);
    }

    /**
     * Makes a wrapper that learns from topics, in place of iterators. Their records are as
     * docs/guides/data.md has them, or as {@link #option} says; features and outputs follow from
     * the network's layers.
     *
     * @param brokers addresses of Kafka's, such as {@code broker:9092}
     * @param topics one or more
     */
    public StreamingWrapper stream(String brokers, String... topics) {
      return new StreamingWrapper(model, settings(), contextOrNull, brokers, List.of(topics));
    }

    private RunSettings settings() {
      Map<String, String> all = new TreeMap<>();
      if (mode == TrainingMode.SHARED_GRADIENTS) {
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
}
