package dev.millrace.dl4j.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.DataSet;

/**
 * A network that many workers train, as on Spark.
 *
 * @param <N> the kind of network
 */
@PublicEvolving
public abstract sealed class SparkTrainable<N extends Model> extends SparkListenable
    permits SparkAsked {

  private final JavaSparkContext context;
  private final TrainingMaster<?, ?> masterOrNull;

  private N network;
  private double score;

  SparkTrainable(JavaSparkContext context, N network, TrainingMaster<?, ?> masterOrNull) {
    this.context = Objects.requireNonNull(context, "context");
    this.masterOrNull = masterOrNull;
    setNetwork(network);
  }

  /** Returns where it is trained. */
  public final JavaSparkContext getSparkContext() {
    return context;
  }

  /** Returns how it is trained; null where it isn't. */
  public final TrainingMaster<?, ?> getTrainingMaster() {
    return masterOrNull;
  }

  /** Returns the network, with what is learned so far. */
  public final N getNetwork() {
    return network;
  }

  /** Takes another network. */
  public final void setNetwork(N other) {
    other.init();
    network = other;
  }

  /** Sets whether statistics are collected. */
  public final void setCollectTrainingStats(boolean collect) {
    master().setCollectTrainingStats(collect);
  }

  /** Returns the statistics of all training so far; null where none are collected. */
  public final SparkTrainingStats getSparkTrainingStats() {
    return master().getTrainingStats();
  }

  /** Returns the score of the newest round. */
  public final double getScore() {
    return score;
  }

  /** Sets what {@link #getScore} returns until it is trained again. */
  public final void setScore(double lastScore) {
    score = lastScore;
  }

  private TrainingMaster<?, ?> master() {
    if (masterOrNull == null) {
      throw new IllegalStateException(
          "There is no training master, so that nothing can be trained: give one to the constructor");
    }
    return masterOrNull;
  }

  final N trained(Consumer<Fitting> training) {
    training.accept(new Fitting(context, network, master(), listeners()));
    score = network.score();
    return network;
  }

  static List<String> files(String directory) {
    try {
      return Saved.files(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Learns from all data sets, each once. */
  public final N fit(JavaRDD<DataSet> data) {
    return trained(fitting -> fitting.fit(data.elements()));
  }

  /** Learns from the data sets that a directory holds, one in a file. */
  public final N fit(String directory) {
    return trained(fitting -> fitting.fit(Saved.dataSets(files(directory))));
  }

  /** Learns from the data sets that a directory holds; the number of partitions changes nothing. */
  public final N fit(String directory, int partitions) {
    return fit(directory);
  }

  /** Learns from data sets of files. */
  public final N fitPaths(JavaRDD<String> files) {
    return trained(fitting -> fitting.fit(Saved.dataSets(files.elements())));
  }

  /** Learns from data sets of files that the program reads. */
  public final N fitPaths(JavaRDD<String> files, DataSetLoader loader) {
    return trained(fitting -> fitting.fit(Saved.loaded(files.elements(), loader)));
  }
}
