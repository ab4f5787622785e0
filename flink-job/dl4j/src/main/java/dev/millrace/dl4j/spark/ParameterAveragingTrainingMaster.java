package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.options.NoMeaning;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.Preset;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;

/** Has the workers' parameters averaged every few steps. */
@PublicEvolving
public final class ParameterAveragingTrainingMaster extends TrainingMaster<Object, Object> {

  private ParameterAveragingTrainingMaster(MasterSettings settings, boolean collected) {
    super(settings, collected);
  }

  /** Says how; without a word as DL4J's does it. */
  @PublicEvolving
  public static final class Builder {

    private final Map<String, String> options = new TreeMap<>();
    private final Integer workersOrNull;
    private int batchSize = 16;
    private int prefetched;
    private boolean collected;

    /**
     * @param rddDataSetNumExamples of each data set; workers' minibatches are cut anew whatever it
     *     is
     */
    public Builder(int rddDataSetNumExamples) {
      this(null, rddDataSetNumExamples);
    }

    /**
     * @param numWorkers null: as many as the context has
     * @param rddDataSetNumExamples of each data set; workers' minibatches are cut anew whatever it
     *     is
     */
    public Builder(Integer numWorkers, int rddDataSetNumExamples) {
      MasterSettings.requirePositive("number of examples of a data set", rddDataSetNumExamples);
      workersOrNull = numWorkers;
      options.put(ExchangeOptions.PRESET.key(), Preset.PARAMETER_AVERAGING.toString());
      averagingFrequency(5);
      saveUpdater(true);
    }

    /** Sets the examples of a worker's step; else 16. */
    public Builder batchSizePerWorker(int examples) {
      batchSize = examples;
      return this;
    }

    /** Sets the steps of a worker from one average to the next; else 5. */
    public Builder averagingFrequency(int steps) {
      MasterSettings.requirePositive("averaging frequency", steps);
      options.put(ExchangeOptions.LOCAL_STEPS.key(), Integer.toString(steps));
      return this;
    }

    /** Sets how many minibatches each worker reads ahead. */
    public Builder workerPrefetchNumBatches(int minibatches) {
      prefetched = minibatches;
      return this;
    }

    /** Sets whether the updater's state is averaged, too; else it is. */
    public Builder saveUpdater(boolean averaged) {
      options.put(ExchangeOptions.AVERAGE_UPDATER.key(), Boolean.toString(averaged));
      return this;
    }

    /** Sets whether {@link TrainingMaster#getTrainingStats} has something to say. */
    public Builder collectTrainingStats(boolean collect) {
      collected = collect;
      return this;
    }

    /** Sets any option of docs/reference/options.md. */
    public Builder option(String key, String value) {
      options.put(key, value);
      return this;
    }

    /** Changes nothing. */
    public Builder aggregationDepth(int depth) {
      return unneeded("aggregationDepth", "All workers add up parts of the model side by side.");
    }

    /** Changes nothing. */
    public Builder repartionData(Repartition repartition) {
      return unneeded("repartionData", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder repartitionStrategy(RepartitionStrategy strategy) {
      return unneeded("repartitionStrategy", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder storageLevel(StorageLevel level) {
      return unneeded("storageLevel", Reasons.NOT_CACHED);
    }

    /** Changes nothing. */
    public Builder storageLevelStreams(StorageLevel level) {
      return unneeded("storageLevelStreams", Reasons.NOT_CACHED);
    }

    /** Changes nothing. */
    public Builder rddTrainingApproach(RDDTrainingApproach approach) {
      return unneeded("rddTrainingApproach", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder exportDirectory(String directory) {
      return unneeded("exportDirectory", Reasons.DIRECTORY);
    }

    /** Changes nothing. */
    public Builder rngSeed(long seed) {
      return unneeded("rngSeed", Reasons.ORDER);
    }

    /**
     * Refuses hooks.
     *
     * @throws UnsupportedOperationException if there is one
     */
    public Builder trainingHooks(Collection<TrainingHook> hooks) {
      if (!hooks.isEmpty()) {
        throw refusal();
      }
      return this;
    }

    /**
     * Refuses hooks.
     *
     * @throws UnsupportedOperationException if there is one
     */
    public Builder trainingHooks(TrainingHook... hooks) {
      return trainingHooks(Arrays.asList(hooks));
    }

    private Builder unneeded(String setting, String reason) {
      NoMeaning.say("ParameterAveragingTrainingMaster." + setting, reason);
      return this;
    }

    /** Returns the master. */
    public ParameterAveragingTrainingMaster build() {
      return new ParameterAveragingTrainingMaster(
          new MasterSettings(workersOrNull, null, batchSize, Math.max(1, prefetched), options),
          collected);
    }
  }
}
