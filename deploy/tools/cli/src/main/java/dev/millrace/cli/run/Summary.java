package dev.millrace.cli.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.millrace.cli.progress.MetricsLine;
import java.util.List;

/**
 * A run in figures, for scripts.
 *
 * @param examples learned from
 * @param seconds from the first to the last measure of the job
 * @param examplesPerSecond over those seconds
 * @param prequentialAccuracy over all examples; null for regression
 * @param prequentialAuc area under the ROC curve over all examples; null unless they are positive
 *     or negative
 * @param holdoutAccuracy of the last global model; null where there is no hold-out set
 * @param rounds combined
 * @param version of the last global model
 * @param model path of its archive; null where none was published
 * @param rejected records that were not learned from, those of refused contributions among them
 * @param refusedContributions how many replicas refused to make
 * @param refusedRecords records of these
 * @param lastRefusal why the newest was refused; null if none was
 */
public record Summary(
    long examples,
    double seconds,
    @JsonProperty("examples_per_second") double examplesPerSecond,
    @JsonProperty("prequential_accuracy") Double prequentialAccuracy,
    @JsonProperty("prequential_auc") Double prequentialAuc,
    @JsonProperty("holdout_accuracy") Double holdoutAccuracy,
    long rounds,
    String version,
    String model,
    long rejected,
    @JsonProperty("refused_contributions") long refusedContributions,
    @JsonProperty("refused_records") long refusedRecords,
    @JsonProperty("last_refusal") String lastRefusal) {

  public static Summary of(RunHistory history) {
    List<MetricsLine.Progress> progress = history.progress();
    String model = history.latestSnapshot().map(MetricsLine.Snapshot::model).orElse(null);
    if (progress.isEmpty()) {
      return new Summary(0, 0, 0, null, null, null, 0, "0.0", model, 0, 0, 0, null);
    }
    MetricsLine.Progress first = progress.get(0);
    MetricsLine.Progress last = progress.get(progress.size() - 1);
    double seconds = (last.time() - first.time()) / 1000.0;
    return new Summary(
        last.examples(),
        seconds,
        seconds > 0 ? (last.examples() - first.examples()) / seconds : 0,
        last.accuracy(),
        last.auc(),
        history.latestHoldOut().map(MetricsLine.HoldOut::accuracy).orElse(null),
        last.round(),
        last.version(),
        model,
        last.rejected(),
        last.refused() == null ? 0 : last.refused().contributions(),
        last.refused() == null ? 0 : last.refused().records(),
        last.refused() == null ? null : last.refused().reason());
  }
}
