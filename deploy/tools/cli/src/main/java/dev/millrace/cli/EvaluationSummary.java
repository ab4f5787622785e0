package dev.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.cli.console.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The few lines that an evaluation shows of its report. */
final class EvaluationSummary {

  private final JsonNode report;

  private EvaluationSummary(JsonNode report) {
    this.report = report;
  }

  /** Reads the summary of a report's JSON. */
  static EvaluationSummary of(String json) throws IOException {
    return new EvaluationSummary(new JsonMapper().readTree(json));
  }

  void show(Screen screen, double seconds) {
    long examples = report.get("examples").asLong();
    screen.say(
        String.format(
            Locale.ROOT,
            "Evaluated %,d examples in %.1f s: %,.0f/s",
            examples,
            seconds,
            examples / seconds));
    screen.say("Result:      " + measures());
    long unusable = report.get("unusable").asLong();
    if (unusable > 0) {
      screen.say(
          String.format(
              Locale.ROOT,
              "Left out:    %,d of %,d examples, where the model predicts no finite number",
              unusable,
              unusable + examples));
    }
    JsonNode rejected = report.get("rejected");
    if (rejected.get("count").asLong() > 0) {
      JsonNode first = rejected.get("first").get(0);
      screen.say(
          String.format(
              Locale.ROOT,
              "Rejected:    %,d of %,d records, the first at %s: %s",
              rejected.get("count").asLong(),
              rejected.get("count").asLong() + unusable + examples,
              first.get("where").asText(),
              first.get("reason").asText()));
    }
  }

  private String measures() {
    List<String> parts = new ArrayList<>();
    if (report.has("mean")) {
      add(parts, "R²", report.at("/mean/r2"));
      add(parts, "RMSE", report.at("/mean/rootMeanSquaredError"));
      add(parts, "MAE", report.at("/mean/meanAbsoluteError"));
    } else {
      add(parts, "accuracy", report.get("accuracy"));
      add(parts, "F1", report.at("/macro/f1"));
      add(parts, "AUC", report.get("auc").isNumber() ? report.get("auc") : report.at("/macro/auc"));
      add(parts, "log loss", report.get("loss"));
      add(parts, "normalized entropy", report.get("normalizedEntropy"));
      add(parts, "calibration ratio", report.get("calibrationRatio"));
      add(parts, "ECE", report.at("/calibration/expectedError"));
    }
    return parts.isEmpty() ? "nothing to measure" : String.join(", ", parts);
  }

  private static void add(List<String> parts, String name, JsonNode value) {
    if (value.isNumber()) {
      parts.add(String.format(Locale.ROOT, "%s %.4f", name, value.asDouble()));
    }
  }
}
