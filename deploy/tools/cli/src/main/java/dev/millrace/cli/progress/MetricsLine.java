package dev.millrace.cli.progress;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** One line of the metrics file that a job writes. Measures that a job doesn't have are null. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = MetricsLine.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = MetricsLine.HoldOut.class, name = "holdout"),
  @JsonSubTypes.Type(value = MetricsLine.Snapshot.class, name = "snapshot"),
  @JsonSubTypes.Type(value = MetricsLine.Drift.class, name = "drift")
})
public sealed interface MetricsLine {

  /**
   * How far training is, and how well examples were predicted before they were learned from.
   *
   * @param time milliseconds since 1970
   * @param refused contributions; null while there are none
   * @param windowAccuracy over the latest examples; so are {@code windowLoss} and {@code windowAuc}
   * @param auc area under the ROC curve; null unless examples are positive or negative
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Progress(
      long time,
      long generation,
      long round,
      long examples,
      long rejected,
      Refused refused,
      Double accuracy,
      Double loss,
      @JsonProperty("window_accuracy") Double windowAccuracy,
      @JsonProperty("window_loss") Double windowLoss,
      Double auc,
      @JsonProperty("window_auc") Double windowAuc,
      Double mae,
      Double rmse)
      implements MetricsLine {

    public String version() {
      return generation + "." + round;
    }
  }

  /**
   * Contributions that replicas refused to make.
   *
   * @param records of theirs, which count as rejected
   * @param reason of the newest
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Refused(long contributions, long records, String reason) {}

  /**
   * How well a global model predicts examples that it never learns from.
   *
   * @param learned examples that it has learned from
   * @param examples examples of the hold-out set
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record HoldOut(
      long time,
      long generation,
      long round,
      long learned,
      long examples,
      Double accuracy,
      Double loss,
      Double auc,
      Double mae,
      Double rmse)
      implements MetricsLine {}

  /** A global model was published. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Snapshot(long generation, long round, String model) implements MetricsLine {}

  /**
   * The stream has changed.
   *
   * @param examples learned when it was found
   * @param before mean error before; null where features moved
   * @param after mean error since; null where features moved
   * @param features numbers of those that moved; null where the error rose
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Drift(
      long generation,
      long round,
      long examples,
      String detector,
      Double before,
      Double after,
      List<Integer> features,
      boolean reacted)
      implements MetricsLine {}

  ObjectMapper JSON = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_INVALID_SUBTYPE);

  /** Returns what a record says; nothing where it is of a type that is not known here. */
  static Optional<MetricsLine> of(ObjectNode record) {
    try {
      return Optional.ofNullable(JSON.treeToValue(record, MetricsLine.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
