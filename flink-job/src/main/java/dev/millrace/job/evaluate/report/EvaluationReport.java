package dev.millrace.job.evaluate.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.evaluation.ClassificationResult;
import dev.millrace.evaluation.EvaluationResult;
import dev.millrace.evaluation.MultiLabelResult;
import dev.millrace.evaluation.RegressionResult;
import dev.millrace.job.evaluate.report.RejectedCounts.Rejection;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Release;
import java.io.IOException;
import java.util.List;

/**
 * What an evaluation has found. Of the same model and data it is the same, byte by byte: there is
 * no time in it.
 *
 * @param format version of the JSON's format
 * @param millrace release that wrote it
 * @param unusable examples that aren't measured, because a prediction was no finite number
 * @param rejected records that were no examples
 * @param result all measures
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record EvaluationReport(
    int format,
    String millrace,
    ReportSubject.Model model,
    ReportSubject.Data data,
    ExampleShape shape,
    long unusable,
    Rejected rejected,
    @JsonUnwrapped EvaluationResult result) {

  /** The newest format, which this release writes. */
  public static final int FORMAT = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** How many records were no examples, and what was wrong with the first few. */
  public record Rejected(long count, List<Reason> first) {}

  /**
   * Why a record was no example.
   *
   * @param where partition and offset, or the line of a file
   */
  public record Reason(String where, String reason) {}

  public static EvaluationReport of(ReportSubject subject, Findings findings) {
    return new EvaluationReport(
        FORMAT,
        Release.version(),
        subject.model(),
        subject.data(),
        subject.shape(),
        findings.evaluation().unusable(),
        new Rejected(
            findings.rejected().count(),
            findings.rejected().first().stream()
                .map(rejection -> reason(rejection, subject.data().isTopic()))
                .toList()),
        findings.evaluation().result(subject.names()));
  }

  private static Reason reason(Rejection rejection, boolean inTopic) {
    return new Reason(
        inTopic
            ? "%s, offset %s".formatted(rejection.partition(), rejection.offset())
            : "line %s".formatted(rejection.offset()),
        rejection.reason());
  }

  public String toJson() {
    try {
      return MAPPER.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A report that is no JSON", e);
    }
  }

  /**
   * Reads what {@link #toJson} has written.
   *
   * @throws IOException if it is no report of this format
   */
  public static EvaluationReport parse(String json) throws IOException {
    JsonNode report = MAPPER.readTree(json);
    if (report.path("format").asInt() != FORMAT || !report.at("/shape/target").isTextual()) {
      throw new IOException("it is no evaluation of format " + FORMAT);
    }
    ExampleShape shape = MAPPER.treeToValue(report.path("shape"), ExampleShape.class);
    return new EvaluationReport(
        FORMAT,
        report.path("millrace").asText(),
        MAPPER.treeToValue(report.path("model"), ReportSubject.Model.class),
        MAPPER.treeToValue(report.path("data"), ReportSubject.Data.class),
        shape,
        report.path("unusable").asLong(),
        MAPPER.treeToValue(report.path("rejected"), Rejected.class),
        MAPPER.treeToValue(report, resultOf(shape.target())));
  }

  private static Class<? extends EvaluationResult> resultOf(Target target) {
    return switch (target) {
      case CLASSIFICATION -> ClassificationResult.class;
      case MULTI_LABEL -> MultiLabelResult.class;
      case REGRESSION -> RegressionResult.class;
    };
  }
}
