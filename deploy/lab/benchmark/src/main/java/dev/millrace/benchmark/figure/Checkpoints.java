package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.NewestJob;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What checkpoints cost, by how often they are made and where state is kept. */
public final class Checkpoints {

  private static final List<String> INTERVALS = List.of("0", "1 s", "5 s", "60 s");
  private static final List<String> BACKENDS = List.of("hashmap", "rocksdb");
  private static final String WORKLOAD = "mlp-128";

  /** A run is so long that the rarest checkpoint is made at least once. */
  private static final double LENGTH = 6;

  private final Lab lab;

  public Checkpoints(Lab lab) {
    this.lab = lab;
  }

  public void measure() throws IOException {
    Workload workload =
        Workload.all().stream()
            .filter(any -> any.name().equals(WORKLOAD))
            .findFirst()
            .orElseThrow();
    Page page = lab.page("checkpoints", "What checkpoints cost");
    page.paragraph(
        """
        %s (9.5 MB of parameters and Adam's moments), two replicas, `sync`: examples per second by \
        the time between checkpoints, medians of %s turns, with minimum and maximum, and as a \
        share of the rate without checkpoints. The pause is how long a checkpoint stops a \
        replica's task (Flink's synchronous part): median and longest over all checkpoints and \
        replicas."""
            .formatted(workload.title(), lab.repetitions()));
    Map<String, Samples> rates = new LinkedHashMap<>();
    Map<String, Samples> pauses = new LinkedHashMap<>();
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("checkpoints"), 1, 2, Peers.MEMORY)) {
      WorkloadData.of(workload)
          .produce(
              cluster.bootstrapServers(),
              workload.name(),
              2,
              workload.format(),
              lab.scaled((long) (LENGTH * workload.inTopic())));
      // The cluster's first job loads and compiles what the others find.
      examplesPerSecond(cluster, workload, BACKENDS.get(0), INTERVALS.get(0), "warm-up");
      for (int turn = 0; turn < lab.repetitions(); turn++) {
        for (String backend : BACKENDS) {
          for (String interval : INTERVALS) {
            String setting = title(backend, interval);
            double rate =
                examplesPerSecond(cluster, workload, backend, interval, Integer.toString(turn));
            rates.computeIfAbsent(setting, any -> new Samples()).add(rate);
            new NewestJob(cluster)
                .checkpointPauses()
                .forEach(pauses.computeIfAbsent(setting, any -> new Samples())::add);
            lab.say("%s: %s examples/s".formatted(setting, Figures.plain(rate)));
          }
        }
      }
    }
    report(page, rates, pauses);
  }

  private static double examplesPerSecond(
      Cluster cluster, Workload workload, String backend, String interval, String run) {
    return new TrainingRun(
            cluster, (title(backend, interval) + " " + run).replaceAll("[^a-z0-9]+", "-"))
        .setAll(workload.options())
        .set("batch.local-size", Integer.toString(workload.batch()))
        .set("execution.checkpointing.interval", interval)
        .flink("state.backend.type", backend)
        .run()
        .examplesPerSecond();
  }

  private static String title(String backend, String interval) {
    return backend + ", " + (interval.equals("0") ? "none" : "every " + interval);
  }

  private static void report(Page page, Map<String, Samples> rates, Map<String, Samples> pauses)
      throws IOException {
    Table table = new Table("checkpoints", "examples/s", "of without", "pause, ms", "longest, ms");
    Map<String, List<Double>> bars = new LinkedHashMap<>();
    rates.forEach(
        (setting, samples) -> {
          String backend = setting.substring(0, setting.indexOf(','));
          double share = samples.median() / rates.get(title(backend, "0")).median();
          Samples paused = pauses.get(setting);
          table.row(
              setting,
              Figures.range(samples),
              Figures.ratio(share),
              paused.isEmpty() ? "" : Figures.plain(paused.median()),
              paused.isEmpty() ? "" : Figures.plain(paused.greatest()));
          bars.computeIfAbsent(backend, any -> new ArrayList<>()).add(share);
          page.samples(setting, "examples/s", samples);
          if (!paused.isEmpty()) {
            page.samples(setting + ", pause", "ms", paused);
          }
        });
    page.table(table)
        .bars(
            "throughput",
            "Throughput with checkpoints",
            "share of the rate without",
            INTERVALS.stream().map(every -> every.equals("0") ? "none" : every).toList(),
            bars)
        .write();
  }
}
