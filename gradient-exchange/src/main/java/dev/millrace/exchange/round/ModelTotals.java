package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.grow.Places;
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
  private LearnedFeatures learned;
  private final RecentMeasures recent;
  private final int ofStep;
  private final MeasuresSum measures = new MeasuresSum();
  private JobProgress progress;
  private long updaterSteps;
  private RefusedContributions refused = RefusedContributions.NONE;

  private ModelTotals(
      Ledger ledger,
      LearnedFeatures learned,
      RecentMeasures recent,
      Measures measures,
      JobProgress progress,
      long updaterSteps,
      int ofStep) {
    this.ledger = ledger;
    this.learned = learned;
    this.recent = recent;
    this.measures.add(measures);
    this.progress = progress;
    this.updaterSteps = updaterSteps;
    this.ofStep = ofStep;
  }

  /**
   * Begins with a model that has learned nothing in this job yet.
   *
   * @param learned of features, and {@code steps}: what a warm start brought along
   * @param window examples that recent measures cover
   * @param ofStep examples that a step of the whole job takes
   */
  public static ModelTotals open(LearnedFeatures learned, long steps, long window, int ofStep) {
    return new ModelTotals(
        new Ledger(),
        learned.copy(),
        new RecentMeasures(window),
        Measures.NONE,
        JobProgress.atStart(steps),
        0,
        ofStep);
  }

  /** Begins with a model of examples without words that has learned nothing in this job yet. */
  public static ModelTotals open(
      FeatureStatistics statistics, long steps, long window, int ofStep) {
    return open(LearnedFeatures.of(statistics), steps, window, ofStep);
  }

  void add(ContributionMetadata metadata) {
    ledger.merge(metadata.ledger());
    learned.statistics().merge(metadata.statistics());
    learned.vocabularies().merge(metadata.words());
    measures.add(metadata.measures());
    progress = progress.plus(metadata.ledger().learnedCount(), ofStep);
    updaterSteps = Math.max(updaterSteps, metadata.updaterSteps());
  }

  void addRejected(Ledger rejected) {
    ledger.merge(rejected);
  }

  void add(Refusal refusal) {
    ledger.merge(refusal.rejected());
    refused = refused.plus(refusal);
  }

  /** The model takes more features now. */
  void grow(Places places) {
    learned = places.apply(learned);
  }

  /** All contributions of a round are added: words get places by what all of them have seen. */
  void closeRound(Measures round) {
    recent.add(round);
    learned.vocabularies().fill();
  }

  /** Records that the global model has learned from or rejected; live, copy it to keep it. */
  public Ledger ledger() {
    return ledger;
  }

  /** Returns what is learned of features; live, copy it to keep it. */
  public LearnedFeatures learned() {
    return learned;
  }

  /** Statistics of the features learned from; live, copy it to keep it. */
  public FeatureStatistics statistics() {
    return learned.statistics();
  }

  /** Predictions before learning, from the start. */
  public Measures measures() {
    return measures.get();
  }

  /** Predictions before learning, over the sliding window. */
  public Measures recent() {
    return recent.sum();
  }

  /** Returns what has been learned, in all and in steps. */
  public JobProgress progress() {
    return progress;
  }

  /** Steps that an updater's state has seen: the most of any replica. */
  long updaterSteps() {
    return updaterSteps;
  }

  /** Contributions that are not in the model, though their records are in its ledger. */
  public RefusedContributions refused() {
    return refused;
  }

  void write(DataOutput out) throws IOException {
    Ledger.WIRE.write(ledger, out);
    LearnedFeatures.WIRE.write(learned, out);
    recent.write(out);
    Measures.WIRE.write(measures.get(), out);
    progress.write(out);
    out.writeLong(updaterSteps);
    refused.write(out);
  }

  static ModelTotals read(DataInput in, long window, int ofStep) throws IOException {
    ModelTotals totals =
        new ModelTotals(
            Ledger.WIRE.read(in),
            LearnedFeatures.WIRE.read(in),
            RecentMeasures.read(in, window),
            Measures.WIRE.read(in),
            JobProgress.read(in),
            in.readLong(),
            ofStep);
    totals.refused = RefusedContributions.read(in);
    return totals;
  }
}
