package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Examples a second of all that learn one workload. They take turns, so that what else the machine
 * does hits them alike.
 */
final class Turns {

  private final Workload workload;
  private final Map<String, Samples> found = new LinkedHashMap<>();

  private Turns(Workload workload) {
    this.workload = workload;
  }

  /**
   * Measures all of them as often as the lab says.
   *
   * @param first of these run once before: a cluster's first job loads and compiles what the others
   *     find
   */
  static Turns of(Lab lab, Workload workload, List<Contender> contenders, List<Contender> first) {
    Turns turns = new Turns(workload);
    first.forEach(contender -> contender.examplesPerSecond(workload));
    for (int turn = 0; turn < lab.repetitions(); turn++) {
      for (Contender contender : contenders) {
        turns.measure(lab, contender);
      }
    }
    return turns;
  }

  private void measure(Lab lab, Contender contender) {
    try {
      double rate = contender.examplesPerSecond(workload);
      found.computeIfAbsent(contender.title(), any -> new Samples()).add(rate);
      lab.say(
          "%s: %s: %s examples/s"
              .formatted(workload.title(), contender.title(), Figures.plain(rate)));
    } catch (BenchmarkFailure e) {
      lab.say("%s: %s: %s".formatted(workload.title(), contender.title(), e.getMessage()));
    }
  }

  /**
   * All rates, and their ratios to some of them.
   *
   * @param references titles of contenders, and what their columns say
   */
  void report(Page page, Map<String, String> references) {
    List<String> columns = new ArrayList<>(List.of("", "examples/s"));
    columns.addAll(references.values());
    Table table = new Table(columns);
    found.forEach(
        (title, samples) -> {
          List<String> row = new ArrayList<>(List.of(title, Figures.range(samples)));
          for (String reference : references.keySet()) {
            row.add(Figures.ratio(ratio(samples, found.get(reference))));
          }
          table.row(row);
          page.samples(title, "examples/s", samples);
        });
    page.table(table);
  }

  /** The medians, by title. */
  Map<String, List<Double>> medians() {
    Map<String, List<Double>> medians = new LinkedHashMap<>();
    found.forEach((title, samples) -> medians.put(title, List.of(samples.median())));
    return medians;
  }

  private static double ratio(Samples samples, Samples referenceOrNull) {
    return referenceOrNull == null ? Double.NaN : samples.median() / referenceOrNull.median();
  }
}
