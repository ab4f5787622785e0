package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Steps;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The global model's own metadata: the sum of the metadata of every contribution that is in it, and
 * of no other.
 *
 * <p>Not thread-safe.
 */
public final class ModelTotals {

  private final Ledger ledger;
  private final FeatureStatistics statistics;
  private final RecentMeasures recent;
  private Measures measures;
  private Steps steps;
  private RefusedContributions refused = RefusedContributions.NONE;

  private ModelTotals(
      Ledger ledger,
      FeatureStatistics statistics,
      RecentMeasures recent,
      Measures measures,
      Steps steps) {
    this.ledger = ledger;
    this.statistics = statistics;
    this.recent = recent;
    this.measures = measures;
    this.steps = steps;
  }

  /**
   * Of a model that has learned nothing in this job yet.
   *
   * @param statistics and {@code steps}: what a warm start brought along
   * @param window examples that recent measures cover
   */
  public static ModelTotals open(FeatureStatistics statistics, Steps steps, long window) {
    return new ModelTotals(
        new Ledger(), statistics.copy(), new RecentMeasures(window), Measures.NONE, steps);
  }

  void add(ContributionMetadata metadata) {
    ledger.merge(metadata.ledger());
    statistics.merge(metadata.statistics());
    measures = measures.plus(metadata.measures());
    steps = steps.max(metadata.steps());
  }

  void addRejected(Ledger rejected) {
    ledger.merge(rejected);
  }

  void add(Refusal refusal) {
    ledger.merge(refusal.rejected());
    refused = refused.plus(refusal);
  }

  void addRecent(Measures round) {
    recent.add(round);
  }

  /** Records that the global model has learned from or rejected; live, copy it to keep it. */
  public Ledger ledger() {
    return ledger;
  }

  /** Statistics of the features learned from; live, copy it to keep it. */
  public FeatureStatistics statistics() {
    return statistics;
  }

  /** Predictions before learning, from the start. */
  public Measures measures() {
    return measures;
  }

  /** Predictions before learning, over the sliding window. */
  public Measures recent() {
    return recent.sum();
  }

  /** The most of any replica. */
  public Steps steps() {
    return steps;
  }

  /** Contributions that are not in the model, though their records are in its ledger. */
  public RefusedContributions refused() {
    return refused;
  }

  void write(DataOutput out) throws IOException {
    Ledger.WIRE.write(ledger, out);
    FeatureStatistics.WIRE.write(statistics, out);
    recent.write(out);
    Measures.WIRE.write(measures, out);
    steps.write(out);
    refused.write(out);
  }

  static ModelTotals read(DataInput in, long window) throws IOException {
    ModelTotals totals =
        new ModelTotals(
            Ledger.WIRE.read(in),
            FeatureStatistics.WIRE.read(in),
            RecentMeasures.read(in, window),
            Measures.WIRE.read(in),
            Steps.read(in));
    totals.refused = RefusedContributions.read(in);
    return totals;
  }
}
