package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.options.NoMeaning;
import dev.millrace.dl4j.options.Thresholds;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.Preset;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ResidualPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;

/** Has the workers share their changes of the network, encoded by a threshold, after each step. */
@PublicEvolving
public final class SharedTrainingMaster extends TrainingMaster<Object, Object> {

  private SharedTrainingMaster(MasterSettings settings, boolean collected) {
    super(settings, collected);
  }

  /** Says how; without a word as DL4J's does it. */
  @PublicEvolving
  public static final class Builder {

    private final Map<String, String> options = new TreeMap<>();
    private ThresholdAlgorithm threshold;
    private final Integer workersOrNull;
    private Integer workersPerMachineOrNull;
    private int batchSize;
    private int prefetched = 2;
    private boolean collected;

    /**
     * @param rddDataSetNumExamples of each data set; workers' steps have as many, unless {@link
     *     #batchSizePerWorker} says another number
     */
    public Builder(int rddDataSetNumExamples) {
      this(new AdaptiveThresholdAlgorithm(), rddDataSetNumExamples);
    }

    /** Begins with a network of machines, which nothing needs. */
    public Builder(VoidConfiguration network, int rddDataSetNumExamples) {
      this(network, new AdaptiveThresholdAlgorithm(), rddDataSetNumExamples);
    }

    /** Begins with a threshold. */
    public Builder(ThresholdAlgorithm algorithm, int rddDataSetNumExamples) {
      this(VoidConfiguration.builder().build(), algorithm, rddDataSetNumExamples);
    }

    /** Begins with a number of workers and the first threshold. */
    public Builder(
        VoidConfiguration network,
        Integer numWorkers,
        double threshold,
        int rddDataSetNumExamples) {
      this(network, numWorkers, new AdaptiveThresholdAlgorithm(threshold), rddDataSetNumExamples);
    }

    /** Begins with a threshold. */
    public Builder(
        VoidConfiguration network, ThresholdAlgorithm algorithm, int rddDataSetNumExamples) {
      this(network, null, algorithm, rddDataSetNumExamples);
    }

    /**
     * Begins with a number of workers and a threshold.
     *
     * @param numWorkers null: as many as the context has
     */
    public Builder(
        VoidConfiguration network,
        Integer numWorkers,
        ThresholdAlgorithm algorithm,
        int rddDataSetNumExamples) {
      Objects.requireNonNull(network, "network");
      MasterSettings.requirePositive("number of examples of a data set", rddDataSetNumExamples);
      options.put(ExchangeOptions.PRESET.key(), Preset.GRADIENT_SHARING.toString());
      threshold = Objects.requireNonNull(algorithm, "algorithm");
      workersOrNull = numWorkers;
      batchSize = rddDataSetNumExamples;
    }

    /** Sets the examples of a worker's step. */
    public Builder batchSizePerWorker(int examples) {
      batchSize = examples;
      return this;
    }

    /** Sets the first threshold, which adapts. */
    public Builder updatesThreshold(double first) {
      return thresholdAlgorithm(new AdaptiveThresholdAlgorithm(first));
    }

    /** Sets how large a change is that is shared. */
    public Builder thresholdAlgorithm(ThresholdAlgorithm algorithm) {
      threshold = Objects.requireNonNull(algorithm, "algorithm");
      return this;
    }

    /**
     * Sets how many workers train in this process. A cluster has its slots, and the context says
     * how many train.
     *
     * @param workers negative: as many as the context has
     */
    public Builder workersPerNode(int workers) {
      workersPerMachineOrNull = workers < 0 ? null : Integer.valueOf(workers);
      return this;
    }

    /** Sets how many minibatches each worker reads ahead; else 2. */
    public Builder workerPrefetchNumBatches(int minibatches) {
      prefetched = minibatches;
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

    /**
     * Refuses it.
     *
     * @throws UnsupportedOperationException if there is one
     */
    public Builder transport(Transport transportOrNull) {
      if (transportOrNull != null) {
        throw new UnsupportedOperationException(
            "Flink connects the machines, and takes no other transport: leave it out");
      }
      return this;
    }

    /** Changes nothing. */
    public Builder residualPostProcessor(ResidualPostProcessor processor) {
      return unneeded(
          "residualPostProcessor", "What isn't sent is part of the next contribution, whole.");
    }

    /** Changes nothing. */
    public Builder repartitionData(Repartition repartition) {
      return unneeded("repartitionData", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder repartitionStrategy(RepartitionStrategy strategy) {
      return unneeded("repartitionStrategy", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder repartitioner(Repartitioner repartitioner) {
      return unneeded("repartitioner", Reasons.IN_TURN);
    }

    /** Changes nothing. */
    public Builder storageLevel(StorageLevel level) {
      return unneeded("storageLevel", Reasons.NOT_CACHED);
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

    /** Changes nothing. */
    public Builder debugLongerIterations(long millis) {
      return unneeded("debugLongerIterations", "It slows training, to look for faults.");
    }

    /** Changes nothing. */
    public Builder workerTogglePeriodicGC(boolean periodic) {
      return unneeded("workerTogglePeriodicGC", Reasons.MEMORY);
    }

    /** Changes nothing. */
    public Builder workerPeriodicGCFrequency(int millis) {
      return unneeded("workerPeriodicGCFrequency", Reasons.MEMORY);
    }

    /** Changes nothing. */
    public Builder encodingDebugMode(boolean debug) {
      return unneeded("encodingDebugMode", "The metric contributionBytes says what is sent.");
    }

    private Builder unneeded(String setting, String reason) {
      NoMeaning.say("SharedTrainingMaster." + setting, reason);
      return this;
    }

    /**
     * Returns the master.
     *
     * @throws UnsupportedOperationException if the threshold's algorithm is none of DL4J's
     */
    public SharedTrainingMaster build() {
      Map<String, String> all = new TreeMap<>(Thresholds.options(threshold));
      all.putAll(options);
      return new SharedTrainingMaster(
          new MasterSettings(
              workersOrNull, workersPerMachineOrNull, batchSize, Math.max(1, prefetched), all),
          collected);
    }
  }
}
