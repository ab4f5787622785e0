package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.flink.coordinator.SavedModel;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import java.io.IOException;

/**
 * All that a savepoint says of its model but the vector.
 *
 * @param learned of features
 * @param ledger records that are in the model
 * @param announced records of contributions that are in no round yet
 * @param prequential each example predicted before it was learned from
 * @param recent the same over the newest examples
 */
public record SavedHead(
    SavedModel model,
    ModelVersion version,
    long iteration,
    LearnedFeatures learned,
    Ledger ledger,
    Ledger announced,
    Measures prequential,
    Measures recent) {

  /** Reads what the coordinator keeps. */
  static SavedHead read(byte[] saved) throws IOException {
    CoordinatorState state = CoordinatorState.read(saved);
    Coordinator coordinator = state.coordinator();
    ModelTotals totals = coordinator.totals();
    return new SavedHead(
        state.model(),
        coordinator.version(),
        totals.progress().steps(),
        totals.learned(),
        totals.ledger(),
        coordinator.recordsUnderWay(),
        totals.measures(),
        totals.recent());
  }

  /** Returns what features looked like so far; no features where standardization is off. */
  public FeatureStatistics statistics() {
    return learned.statistics();
  }

  /** The whole model; a moving average has no server optimizer's state. */
  GlobalModel with(float[] vector, ServerOptimizerState serverOptimizer, boolean movingAverage) {
    return new GlobalModel(
        model.spec(),
        version,
        iteration,
        vector,
        learned,
        ledger,
        prequential,
        model.lineage(),
        serverOptimizer,
        movingAverage);
  }
}
