package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.TrainingContext;
import dev.millrace.dl4j.options.NoMeaning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Where a program trains, and what makes its collections. Close it when nothing is trained. */
@PublicEvolving
public final class JavaSparkContext implements AutoCloseable {

  private final TrainingContext training;
  private final int workers;

  private JavaSparkContext(TrainingContext training, int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("There is at least 1 worker, not " + workers);
    }
    this.training = Objects.requireNonNull(training, "training");
    this.workers = workers;
  }

  /** Makes the context that a configuration describes. */
  public JavaSparkContext(SparkConf configuration) {
    this(training(configuration), workers(configuration));
  }

  /** Trains where a context says, with as many workers as this machine has processors. */
  public static JavaSparkContext of(TrainingContext training) {
    return of(training, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Trains where a context says.
   *
   * @param workers at least 1; a cluster needs a slot for each
   */
  public static JavaSparkContext of(TrainingContext training, int workers) {
    return new JavaSparkContext(training, workers);
  }

  private static TrainingContext training(SparkConf configuration) {
    boolean here =
        configuration.isLocal()
            || StreamExecutionEnvironment.getExecutionEnvironment()
                instanceof LocalStreamEnvironment;
    TrainingContext training = here ? TrainingContext.embedded() : TrainingContext.current();
    String directory = configuration.directoryOrNull();
    return directory == null ? training : training.directory(directory);
  }

  private static int workers(SparkConf configuration) {
    Integer workers = configuration.workersOrNull();
    return workers == null
        ? StreamExecutionEnvironment.getExecutionEnvironment().getParallelism()
        : workers;
  }

  /** Returns where it trains. */
  TrainingContext training() {
    return training;
  }

  /** Returns how many workers there are, unless a training master says another number. */
  public int defaultParallelism() {
    return workers;
  }

  /** Makes a collection. */
  public <T> JavaRDD<T> parallelize(List<T> elements) {
    return parallelize(elements, workers);
  }

  /** Makes a collection; workers share it whatever the number of partitions is. */
  public <T> JavaRDD<T> parallelize(List<T> elements, int partitions) {
    return new JavaRDD<>(this, List.copyOf(elements), partitions);
  }

  /** Makes a collection of values with keys. */
  public <K, V> JavaPairRDD<K, V> parallelizePairs(List<Tuple2<K, V>> elements) {
    return parallelizePairs(elements, workers);
  }

  /** Makes a collection of values with keys. */
  public <K, V> JavaPairRDD<K, V> parallelizePairs(List<Tuple2<K, V>> elements, int partitions) {
    return new JavaPairRDD<>(this, List.copyOf(elements), partitions);
  }

  /** Makes a collection of numbers. */
  public JavaDoubleRDD parallelizeDoubles(List<Double> elements) {
    return new JavaDoubleRDD(this, List.copyOf(elements), workers);
  }

  /**
   * Makes a collection of the data sets that a directory holds, as DL4J saves them, one in a file.
   * Each is read when it is needed, and not kept.
   *
   * @param directory on any of Flink's file systems
   */
  public JavaRDD<DataSet> dataSets(String directory) {
    return new JavaRDD<>(this, Saved.dataSets(files(directory)), workers);
  }

  /** Makes a collection of the data sets of several inputs or outputs that a directory holds. */
  public JavaRDD<MultiDataSet> multiDataSets(String directory) {
    return new JavaRDD<>(this, Saved.multiDataSets(files(directory)), workers);
  }

  private static List<String> files(String directory) {
    try {
      return Saved.files(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns this context: there is one kind of it. */
  public JavaSparkContext sc() {
    return this;
  }

  /** Changes nothing: the program's logging says what is logged. */
  public void setLogLevel(String level) {
    NoMeaning.say("setLogLevel", "The program's logging says what is logged.");
  }

  /** Ends what runs in this process. */
  public void stop() {
    training.close();
  }

  @Override
  public void close() {
    stop();
  }
}
