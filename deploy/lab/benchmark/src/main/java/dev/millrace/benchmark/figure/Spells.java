package dev.millrace.benchmark.figure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what a job learned in spells of several kinds, and how long it took to recover. */
final class Spells {

  private static final long SECOND = 1_000;

  /** A thing that was done. */
  private record Deed(String kind, long time) {}

  private final String quiet;
  private final Map<String, Samples> rates = new LinkedHashMap<>();
  private final List<Deed> deeds = new ArrayList<>();
  private List<Progress> progress = List.of();

  /**
   * @param quiet the kind of spell that the others are compared with
   */
  Spells(String quiet) {
    this.quiet = quiet;
  }

  /** Something is done to the job now, at a time in milliseconds. */
  void begin(String kind, long time) {
    deeds.add(new Deed(kind, time));
  }

  /**
   * A spell is over.
   *
   * @param all that the job has told of its progress up to now
   */
  void end(String kind, long from, long to, List<Progress> all) {
    progress = all;
    double rate = (examplesAt(to) - examplesAt(from)) / ((to - from) / 1e3);
    rates.computeIfAbsent(kind, any -> new Samples()).add(rate);
  }

  private long examplesAt(long time) {
    long examples = 0;
    for (Progress one : progress) {
      if (one.time() > time) {
        break;
      }
      examples = one.examples();
    }
    return examples;
  }

  /**
   * Writes the page.
   *
   * @param audit of the job's last savepoint
   */
  void report(Page page, JsonNode audit) throws IOException {
    Table table = new Table("killed", "examples/s", "goodput", "learns again after, s");
    double undisturbed = rates.get(quiet).median();
    rates.forEach(
        (kind, samples) -> {
          page.samples(kind, "examples/s", samples);
          Samples pauses = new Samples();
          deeds.stream()
              .filter(deed -> deed.kind().equals(kind) && !kind.equals(quiet))
              .forEach(deed -> pauses.add(recoverySeconds(deed)));
          table.row(
              kind,
              Figures.range(samples),
              Figures.ratio(samples.median() / undisturbed),
              pauses.isEmpty() ? "" : Figures.range(pauses));
          if (!pauses.isEmpty()) {
            page.samples(kind + ", learns again after", "s", pauses);
          }
        });
    page.table(table)
        .paragraph(
            "%s records, %s lost, %s doubled."
                .formatted(
                    audit.get("learned").asText(),
                    audit.get("missing").asText(),
                    audit.get("doubled").asText()))
        .lines(
            "rate",
            "Examples learned each second",
            "seconds",
            "examples/s",
            Map.of("learned", eachSecond()))
        .write();
  }

  /** Returns how long nothing was learned. */
  private double recoverySeconds(Deed deed) {
    Progress before = null;
    for (Progress one : progress) {
      if (one.time() <= deed.time()) {
        before = one;
      } else if (before != null && one.generation() > before.generation()) {
        return (one.time() - deed.time()) / 1e3;
      }
    }
    throw new BenchmarkFailure("The job didn't learn again after " + deed.kind());
  }

  /** Returns points of a curve. What is learned again counts as nothing. */
  private List<double[]> eachSecond() {
    Map<Long, Long> most = new TreeMap<>();
    long began = progress.get(0).time();
    long greatest = 0;
    for (Progress one : progress) {
      greatest = Math.max(greatest, one.examples());
      most.put((one.time() - began) / SECOND, greatest);
    }
    List<double[]> points = new ArrayList<>();
    long last = (progress.get(progress.size() - 1).time() - began) / SECOND;
    long before = 0;
    for (long second = 0; second <= last; second++) {
      long now = most.getOrDefault(second, before);
      points.add(new double[] {second, now - before});
      before = now;
    }
    return points;
  }
}
