package dev.millrace.job.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Examples a second of runs that take turns. */
final class Rates {

  private final Map<String, List<Double>> turns = new LinkedHashMap<>();

  /** Of a job that has ended, from its first report to its last. */
  void note(String what, Job job) throws IOException {
    List<JsonNode> reports = job.metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    long examples = last.get("examples").asLong() - first.get("examples").asLong();
    note(what, examples * 1e3 / (last.get("time").asLong() - first.get("time").asLong()));
  }

  void note(String what, double rate) {
    turns.computeIfAbsent(what, any -> new ArrayList<>()).add(rate);
  }

  double median(String what) {
    List<Double> sorted = turns.get(what).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** The median of one, as a share of the median of another. */
  double ratio(String what, String ofWhat) {
    return median(what) / median(ofWhat);
  }

  void print() {
    turns.forEach(
        (what, all) ->
            System.out.printf(
                "%s: %.0f (%.0f to %.0f)%n",
                what,
                median(what),
                all.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                all.stream().mapToDouble(Double::doubleValue).max().orElseThrow()));
  }
}
