package dev.millrace.dl4j;

import dev.millrace.dl4j.run.Audience;
import dev.millrace.dl4j.run.NetworkCounts;
import dev.millrace.dl4j.run.NetworkListeners;
import dev.millrace.dl4j.run.News;
import dev.millrace.dl4j.run.Statistics;
import dev.millrace.dl4j.source.RowsIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

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

  private final Model model;
  private final RunSettings settings;
  private final TrainingContext context;
  private final boolean ownsContext;
  private final List<TrainingListener> listeners = new ArrayList<>();

  private int iterations;
  private volatile TrainingRun running;
  private volatile boolean stopAsked;

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
    all.addAll(NetworkListeners.of(model));
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
    // Listeners are told of epochs, and a schedule by epochs goes by the network's count of them.
    int jobs = audience.isEmpty() && !NetworkCounts.schedulesByEpoch(model) ? 1 : epochs;
    stopAsked = false;
    boolean stopped = false;
    for (int job = 0; job < jobs && !stopped; job++) {
      int passes = epochs / jobs;
      // A listener may ask for it at the end of an epoch.
      stopped = run(context, passes, audience, run -> run.fit(source, passes)) || stopAsked;
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

  /**
   * Ends {@link #fit} soon, with what is learned by then. An epoch that isn't at its end doesn't
   * count as one.
   */
  public void stopFit() {
    stopAsked = true;
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
  public static final class Builder<T extends Model> extends WrapperBuilder<T, Builder<T>> {

    /**
     * Begins with a network.
     *
     * @throws IllegalArgumentException if it is no network that can be trained
     */
    public Builder(T model) {
      super(model);
    }

    /** Makes the wrapper. */
    public ParallelWrapper build() {
      return new ParallelWrapper(model(), settings(), contextOrNull());
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
      return new StreamingWrapper(model(), settings(), contextOrNull(), brokers, List.of(topics));
    }
  }
}
