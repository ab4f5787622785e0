package dev.millrace.exchange.flink.replica;

import dev.millrace.example.LabelLags;
import dev.millrace.example.LagSettings;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.drift.ExampleSignals;
import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replay.ReplaySettings;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of all replicas, which travel with the job.
 *
 * @param spec of the model
 * @param layout of the exchanged part of its vector
 * @param batchSize of minibatches
 * @param maxWait how long an example may wait for its minibatch to fill
 * @param codecs of contributions
 * @param changesAddUp whether the exchange adds changes up, and doesn't average them
 * @param guard which contributions a replica refuses
 * @param standardize whether features are standardized online
 * @param scaling how learning rates follow the number of replicas
 * @param rateWarmUp examples of the whole job in which they rise to what {@code scaling} makes of
 *     them; 0 for none
 * @param replay which examples replicas keep and learn from again
 * @param lags of which records labels are features
 * @param device what replicas are computed on, of the devices that Flink allots
 * @param tells what contributions tell of single examples
 * @param attraction which older model replicas stay near
 * @param segments which records are held out of training
 * @param detailsInterval from one look into the first replica's network to the next, at least; 0
 *     for none
 */
public record ReplicaSettings(
    ModelSpec spec,
    BlockLayout layout,
    BatchSize batchSize,
    Duration maxWait,
    Schedule schedule,
    ContributionCodecs codecs,
    boolean changesAddUp,
    ContributionGuard guard,
    boolean standardize,
    LearningRateScaling scaling,
    long rateWarmUp,
    ReplaySettings replay,
    LagSettings lags,
    DeviceRequest device,
    ExampleSignals tells,
    OlderModelPenalty attraction,
    SegmentRule segments,
    Duration detailsInterval)
    implements Serializable {

  /** Settings of a job that looks at no single example's error, and at none again. */
  public ReplicaSettings(
      ModelSpec spec,
      BlockLayout layout,
      BatchSize batchSize,
      Duration maxWait,
      Schedule schedule,
      ContributionCodecs codecs,
      boolean changesAddUp,
      ContributionGuard guard,
      boolean standardize,
      LearningRateScaling scaling,
      long rateWarmUp,
      DeviceRequest device) {
    this(
        spec,
        layout,
        batchSize,
        maxWait,
        schedule,
        codecs,
        changesAddUp,
        guard,
        standardize,
        scaling,
        rateWarmUp,
        ReplaySettings.NONE,
        LagSettings.OF_PARTITION,
        device,
        ExampleSignals.NOTHING,
        OlderModelPenalty.NONE,
        SegmentRule.NONE,
        Duration.ZERO);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSettings.class);

  /**
   * The model that a replica trains.
   *
   * @param devices that Flink has allotted, see {@link AllottedDevices}
   */
  ModelReplica model(List<String> devices) {
    return ModelEngine.named(spec.engine()).build(spec, device.among(devices));
  }

  /**
   * A replica that has learned nothing yet.
   *
   * @param replicas how many there are
   * @param nanoTime as {@link System#nanoTime}
   */
  Replica replica(int index, int replicas, ModelReplica model, LongSupplier nanoTime) {
    RateFactors rates = rates(replicas);
    if (index == 0 && rateWarmUp > 0 && !rates.rise()) {
      LOG.warn(
          "The warm-up of the learning rate has no effect: with {} replicas, and each one's share of a"
              + " step's examples, the learning rate of any updater is at most that of one network",
          replicas);
    }
    model.setRandomStream(index);
    return new Replica(
        index,
        model,
        layout,
        codecs.encoder(layout),
        schedule,
        standardize,
        changesAddUp,
        guard,
        new JobShare(replicas, batchSize.ofJob(), rates, tells, attraction),
        replay.replay(spec.shape(), index, replicas),
        nanoTime);
  }

  /** They rise from where all steps together are as long as those of one network. */
  private RateFactors rates(int replicas) {
    double share = batchSize.share(replicas);
    int averaged = changesAddUp ? 1 : replicas;
    return new RateFactors(
        scaling.ofProportional(share, averaged),
        scaling.ofAdaptive(share, averaged),
        (double) averaged / replicas,
        rateWarmUp);
  }

  /** Makes features of the labels of records before, where the shape has any. */
  LabelLags labelLags() {
    return new LabelLags(spec.shape(), lags);
  }

  /**
   * Makes the place where examples of one among {@code replicas} wait for their minibatch to fill;
   * empty.
   */
  MinibatchWindow window(int replicas) {
    int fresh = batchSize.local(replicas);
    return new MinibatchWindow(
        spec.shape(), fresh, replay.mostRows(fresh), replay.age().byTime(), maxWait);
  }
}
