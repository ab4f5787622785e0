package dev.millrace.dl4j.spark;

import java.util.Collection;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.optimize.api.TrainingListener;

/**
 * How a network is trained by many workers.
 *
 * @param <R> means nothing here; programs write it
 * @param <W> means nothing here; programs write it
 */
@PublicEvolving
public abstract sealed class TrainingMaster<R, W>
    permits ParameterAveragingTrainingMaster, SharedTrainingMaster {

  private final MasterSettings settings;
  private final SparkTrainingStats stats = new SparkTrainingStats();

  private boolean collected;
  private List<TrainingListener> listeners = List.of();

  TrainingMaster(MasterSettings settings, boolean collected) {
    this.settings = settings;
    this.collected = collected;
  }

  MasterSettings settings() {
    return settings;
  }

  List<TrainingListener> listeners() {
    return listeners;
  }

  /** Returns what statistics are added to. */
  SparkTrainingStats stats() {
    return stats;
  }

  /** Sets whether statistics are collected. */
  public void setCollectTrainingStats(boolean collect) {
    collected = collect;
  }

  /** Whether statistics are collected. */
  public boolean getIsCollectTrainingStats() {
    return collected;
  }

  /** Returns the statistics of all training so far; null where none are collected. */
  public SparkTrainingStats getTrainingStats() {
    return collected ? stats : null;
  }

  /** Has listeners told, beside the network's own. */
  public void setListeners(Collection<TrainingListener> told) {
    listeners = List.copyOf(told);
  }

  /** Has listeners told, beside the network's own; the router gets nothing. */
  public void setListeners(Object router, Collection<TrainingListener> told) {
    StatsRouters.say(router);
    setListeners(told);
  }

  /** Does nothing: no hook was ever added. */
  public void removeHook(TrainingHook hook) {
    // See addHook.
  }

  /**
   * Refuses it.
   *
   * @throws UnsupportedOperationException always
   */
  public void addHook(TrainingHook hook) {
    throw refusal();
  }

  static UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "Replicas call no training hooks: what one did to a replica would be lost in the next round. Set a"
            + " TrainingListener, which is told of each round with the global network");
  }

  /** Returns true: files of a training are deleted when the context is closed. */
  public boolean deleteTempFiles(JavaSparkContext context) {
    return true;
  }
}
