package dev.millrace.dl4j;

import dev.millrace.dl4j.run.ScoreOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.listener.EarlyStoppingListener;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.IterationTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.IEarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains epoch after epoch by a {@link ParallelWrapper} until a condition ends it, and keeps the
 * best network, as DL4J's class of this name does. Conditions, score calculators and savers work in
 * this process: conditions of iterations are asked after each round, those of epochs and the score
 * calculator every so many epochs as the configuration says.
 *
 * @param <T> the network, a MultiLayerNetwork or a ComputationGraph
 */
@PublicEvolving
public final class EarlyStoppingParallelTrainer<T extends Model>
    implements IEarlyStoppingTrainer<T> {

  private static final Logger LOG = LoggerFactory.getLogger(EarlyStoppingParallelTrainer.class);

  private final EarlyStoppingConfiguration<T> configuration;
  private final T model;
  private final DataSetIterator train;
  private final MultiDataSetIterator trainSeveral;
  private final ParallelWrapper wrapper;

  private EarlyStoppingListener<T> listenerOrNull;
  private IterationTerminationCondition hitOrNull;
  private boolean mustEnd;
  private double bestScore;
  private int bestEpoch;

  /** Trains by averages; one of both iterators is null. */
  public EarlyStoppingParallelTrainer(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      DataSetIterator train,
      MultiDataSetIterator trainSeveral,
      int workers,
      int prefetchBuffer,
      int averagingFrequency) {
    this(
        configuration,
        model,
        train,
        trainSeveral,
        null,
        workers,
        prefetchBuffer,
        averagingFrequency);
  }

  /** Trains by averages, and tells a listener. */
  public EarlyStoppingParallelTrainer(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      DataSetIterator train,
      MultiDataSetIterator trainSeveral,
      EarlyStoppingListener<T> listener,
      int workers,
      int prefetchBuffer,
      int averagingFrequency) {
    this(
        configuration,
        model,
        train,
        trainSeveral,
        listener,
        workers,
        prefetchBuffer,
        averagingFrequency,
        true,
        false);
  }

  /**
   * Trains by averages, and tells a listener.
   *
   * @param reportScoreAfterAveraging whether the log has each round's score
   * @param useLegacyAveraging has no meaning here
   */
  public EarlyStoppingParallelTrainer(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      DataSetIterator train,
      MultiDataSetIterator trainSeveral,
      EarlyStoppingListener<T> listener,
      int workers,
      int prefetchBuffer,
      int averagingFrequency,
      boolean reportScoreAfterAveraging,
      boolean useLegacyAveraging) {
    this(
        configuration,
        model,
        train,
        trainSeveral,
        new ParallelWrapper.Builder<>(model)
            .workers(workers)
            .prefetchBuffer(prefetchBuffer)
            .averagingFrequency(averagingFrequency)
            .reportScoreAfterAveraging(reportScoreAfterAveraging)
            .build());
    this.listenerOrNull = listener;
  }

  /** Trains a wrapper's network as the wrapper does. */
  @SuppressWarnings("unchecked") // The wrapper's network is what the configuration is for.
  public EarlyStoppingParallelTrainer(
      EarlyStoppingConfiguration<T> configuration, DataSetIterator train, ParallelWrapper wrapper) {
    this(configuration, (T) wrapper.getModel(), train, null, wrapper);
  }

  private EarlyStoppingParallelTrainer(
      EarlyStoppingConfiguration<T> configuration,
      T model,
      DataSetIterator train,
      MultiDataSetIterator trainSeveral,
      ParallelWrapper wrapper) {
    if ((train == null) == (trainSeveral == null)) {
      throw new IllegalArgumentException(
          "There is one iterator to train from, a DataSetIterator or a MultiDataSetIterator");
    }
    this.configuration = Objects.requireNonNull(configuration, "configuration");
    this.model = model;
    this.train = train;
    this.trainSeveral = trainSeveral;
    this.wrapper = wrapper;
  }

  @Override
  public void setListener(EarlyStoppingListener<T> listener) {
    listenerOrNull = listener;
  }

  /** Ends training after this round, or has it go on. */
  public void setTermination(boolean ends) {
    mustEnd = ends;
    if (ends) {
      wrapper.stopFit();
    }
  }

  /** Whether training ends, or has ended, within an epoch. */
  public boolean getTermination() {
    return mustEnd;
  }

  /** Refuses to pretrain: layers that learn without labels aren't trained side by side. */
  @Override
  public EarlyStoppingResult<T> pretrain() {
    throw new UnsupportedOperationException(
        "Layers aren't pretrained side by side: call the network's own pretrain before");
  }

  /**
   * Trains until a condition ends it. A failure ends it, too, with the reason {@code Error}: the
   * result has the best network by then.
   */
  @Override
  public EarlyStoppingResult<T> fit() {
    configuration.validate();
    initialize();
    if (listenerOrNull != null) {
      listenerOrNull.onStart(configuration, model);
    }
    EarlyStoppingResult<T> result;
    List<TrainingListener> given = wrapper.getListeners();
    List<TrainingListener> all = new ArrayList<>(given);
    all.add(new Asking());
    wrapper.setListeners(all);
    try {
      result = train();
    } finally {
      wrapper.setListeners(given);
      wrapper.shutdown();
    }
    if (listenerOrNull != null) {
      listenerOrNull.onCompletion(result);
    }
    return result;
  }

  private void initialize() {
    iterationConditions().forEach(IterationTerminationCondition::initialize);
    epochConditions().forEach(EpochTerminationCondition::initialize);
    hitOrNull = null;
    mustEnd = false;
    bestScore = calculator().minimizeScore() ? Double.MAX_VALUE : -Double.MAX_VALUE;
    bestEpoch = -1;
  }

  private EarlyStoppingResult<T> train() {
    Map<Integer, Double> scores = new LinkedHashMap<>();
    for (int epoch = 0; ; epoch++) {
      try {
        fitEpoch();
      } catch (RuntimeException e) {
        LOG.warn("Training with early stopping has ended by a failure in epoch {}", epoch, e);
        return result(TerminationReason.Error, e.toString(), scores, epoch);
      }
      if (mustEnd) {
        String why = hitOrNull == null ? "setTermination(true)" : hitOrNull.toString();
        LOG.info("Training ends in epoch {}: {}", epoch, why);
        if (configuration.isSaveLastModel()) {
          saveLatest(model.score());
        }
        return result(TerminationReason.IterationTerminationCondition, why, scores, epoch);
      }
      if (epoch % configuration.getEvaluateEveryNEpochs() == 0) {
        double score = calculator().calculateScore(model);
        scores.put(epoch, score);
        keep(epoch, score);
        if (listenerOrNull != null) {
          listenerOrNull.onEpoch(epoch, score, configuration, model);
        }
        for (EpochTerminationCondition condition : epochConditions()) {
          if (condition.terminate(epoch, score, calculator().minimizeScore())) {
            LOG.info("Training ends after epoch {}: {}", epoch, condition);
            return result(
                TerminationReason.EpochTerminationCondition,
                condition.toString(),
                scores,
                epoch + 1);
          }
        }
      }
    }
  }

  private void fitEpoch() {
    if (train != null) {
      if (train.resetSupported()) {
        train.reset();
      }
      wrapper.fit(train);
    } else {
      if (trainSeveral.resetSupported()) {
        trainSeveral.reset();
      }
      wrapper.fit(trainSeveral);
    }
  }

  private void keep(int epoch, double score) {
    boolean better = calculator().minimizeScore() ? score < bestScore : score > bestScore;
    LOG.info("Epoch {} has the score {}{}", epoch, score, better ? ", the best so far" : "");
    // The first is kept whatever it is, so that there is one.
    if (better || (bestEpoch == -1 && !Double.isFinite(score))) {
      bestScore = score;
      bestEpoch = epoch;
      try {
        configuration.getModelSaver().saveBestModel(model, score);
      } catch (IOException e) {
        throw new UncheckedIOException("The best network can't be saved", e);
      }
    }
    if (configuration.isSaveLastModel()) {
      saveLatest(score);
    }
  }

  private void saveLatest(double score) {
    try {
      configuration.getModelSaver().saveLatestModel(model, score);
    } catch (IOException e) {
      throw new UncheckedIOException("The latest network can't be saved", e);
    }
  }

  private EarlyStoppingResult<T> result(
      TerminationReason reason, String details, Map<Integer, Double> scores, int epochs) {
    T best;
    try {
      best = bestEpoch == -1 ? null : configuration.getModelSaver().getBestModel();
    } catch (IOException e) {
      throw new UncheckedIOException("The best network can't be read again", e);
    }
    return new EarlyStoppingResult<>(
        reason, details, scores, bestEpoch, bestScore, epochs, best == null ? model : best);
  }

  private ScoreCalculator<T> calculator() {
    return configuration.getScoreCalculator();
  }

  private List<IterationTerminationCondition> iterationConditions() {
    List<IterationTerminationCondition> conditions =
        configuration.getIterationTerminationConditions();
    return conditions == null ? List.of() : conditions;
  }

  private List<EpochTerminationCondition> epochConditions() {
    List<EpochTerminationCondition> conditions = configuration.getEpochTerminationConditions();
    return conditions == null ? List.of() : conditions;
  }

  /** Asks the conditions of iterations. */
  private final class Asking extends BaseTrainingListener implements ScoreOnly {

    @Override
    public void iterationDone(Model network, int iteration, int epoch) {
      if (mustEnd) {
        return;
      }
      for (IterationTerminationCondition condition : iterationConditions()) {
        if (condition.terminate(network.score())) {
          hitOrNull = condition;
          setTermination(true);
          return;
        }
      }
    }
  }
}
