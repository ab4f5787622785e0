package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.ModelVersion;
import java.io.Serializable;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets a snapshot be served only if it isn't worse on the hold-out set than the one being served,
 * by more than a margin.
 *
 * @param margin in the metric's own unit, at least 0
 */
public record PublicationGate(Metric metric, double margin) implements Serializable {

  /** The measure of the hold-out set that is compared. */
  public enum Metric {
    ACCURACY(true),
    LOSS(false),
    AUC(true),
    MAE(false),
    RMSE(false);

    private final boolean moreIsBetter;

    Metric(boolean moreIsBetter) {
      this.moreIsBetter = moreIsBetter;
    }

    /** NaN where there is no such value. */
    double of(Optional<Quality> quality) {
      Double known = quality.map(this::valueOf).orElse(null);
      return known == null ? Double.NaN : known;
    }

    private Double valueOf(Quality quality) {
      return switch (this) {
        case ACCURACY -> quality.accuracy();
        case LOSS -> quality.loss();
        case AUC -> quality.auc();
        case MAE -> quality.meanAbsoluteError();
        case RMSE -> quality.rootMeanSquaredError();
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a gate decided, and from what.
   *
   * @param candidate null where the snapshot could not be measured
   * @param serving null where nothing was served, or what was served could not be compared: it is
   *     measured anew where that was on another hold-out set
   * @param servingVersion null where nothing was served
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Verdict(
      String metric,
      double margin,
      Double candidate,
      Double serving,
      String servingVersion,
      boolean passed) {}

  /**
   * Decides by qualities on the same hold-out set. A candidate that can't be measured, or not to a
   * finite value, never passes.
   */
  Verdict judge(
      Optional<Quality> candidate, Optional<ModelVersion> served, Optional<Quality> serving) {
    double ours = metric.of(candidate);
    double theirs = metric.of(serving);
    double worse = metric.moreIsBetter ? theirs - ours : ours - theirs;
    boolean passed = Double.isFinite(ours) && (!Double.isFinite(theirs) || worse <= margin);
    return new Verdict(
        metric.toString(),
        margin,
        known(ours),
        known(theirs),
        served.map(ModelVersion::toString).orElse(null),
        passed);
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
