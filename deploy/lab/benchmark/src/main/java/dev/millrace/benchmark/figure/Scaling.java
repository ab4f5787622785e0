package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.figure.RoundTime.Measured;
import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.Cluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/** A model of a round's time, fitted to what one machine can measure, and where it leads. */
public final class Scaling {

  private static final List<Integer> REPLICAS = List.of(1, 2, 4, 8);
  private static final int PROCESSES = 2;
  private static final List<Double> MEGABYTES = List.of(0.1, 4.0, 40.0);
  private static final List<Integer> FAR = List.of(1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000);

  /** Ten gigabits a second. */
  private static final double LINK = 1_250;

  private final Lab lab;

  public Scaling(Lab lab) {
    this.lab = lab;
  }

  public void measure() throws IOException {
    Page page = lab.page("scaling", "Beyond this machine");
    int processors = Runtime.getRuntime().availableProcessors();
    List<Measured> measured = new ArrayList<>();
    Map<String, Samples> all = new LinkedHashMap<>();
    Map<Integer, Samples> coordinator = new TreeMap<>();
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("scaling"), PROCESSES, 4, StillRun.MEMORY)) {
      StillRun runs = new StillRun(lab, cluster);
      runs.warmUp();
      for (double megabytes : MEGABYTES) {
        for (int replicas : REPLICAS) {
          Samples rounds = new Samples();
          for (int turn = 0; turn < lab.repetitions(); turn++) {
            rounds.add(runs.roundsPerSecond(megabytes, replicas, Map.of()));
            if (megabytes == MEGABYTES.get(0)) {
              coordinator
                  .computeIfAbsent(replicas, any -> new Samples())
                  .add(runs.coordinatorSeconds());
            }
          }
          measured.add(
              new Measured(
                  replicas, Math.min(replicas, PROCESSES), megabytes, 1 / rounds.median()));
          all.put("%s MB, %s replicas".formatted(megabytes, replicas), rounds);
        }
      }
    }
    RoundTime time = RoundTime.fit(measured, aReplica(coordinator), processors);
    page.paragraph(
        """
        A round of a model of S MB with N replicas, each on its own machine, over a network \
        without cost, takes **%s + %s N + %s + %s S + %s · 2 S (N − 1) / N ms**: what every round \
        has; the coordinator; a replica's messages; its passes over the model; processor time to \
        send changes and blocks to other processes. The coordinator's is measured: by how much \
        the processor time of its task for a round grows with each replica, which announces \
        alone. The other constants are \
        fitted to the rounds below, of replicas in %s processes that share %s processors. A link \
        of L MB/s each way adds 2 S (N − 1) / N / L: a replica sends its change while it receives \
        as much to combine; then its part of the new model goes to all, and it receives the \
        whole."""
            .formatted(
                Figures.plain(1e3 * time.fixed()),
                Figures.plain(1e3 * time.coordinator()),
                Figures.plain(1e3 * time.own()),
                Figures.plain(1e3 * time.passes()),
                Figures.plain(1e3 * time.carried()),
                PROCESSES,
                processors));
    Table table = new Table("model", "replicas", "measured, ms", "fitted, ms", "off by");
    for (Measured one : measured) {
      double fitted =
          time.onOneMachine(one.replicas(), one.processes(), one.megabytes(), processors);
      table.row(
          Figures.plain(one.megabytes()) + " MB",
          Integer.toString(one.replicas()),
          Figures.plain(1e3 * one.seconds()),
          Figures.plain(1e3 * fitted),
          Math.round(100 * (fitted / one.seconds() - 1)) + " %");
    }
    page.table(table);
    all.forEach((setting, rounds) -> page.samples(setting, "rounds/s", rounds));
    coordinator.forEach(
        (replicas, seconds) ->
            page.samples("coordinator, %s replicas".formatted(replicas), "s a round", seconds));
    curves(page, time);
    limits(page, time);
    page.write();
  }

  /**
   * Returns what each further replica costs the coordinator, in seconds a round: the slope over all
   * runs, since one run is a second of a thread's time, more or less.
   */
  private static double aReplica(Map<Integer, Samples> rounds) {
    SimpleRegression line = new SimpleRegression();
    rounds.forEach(
        (replicas, seconds) -> seconds.values().forEach(each -> line.addData(replicas, each)));
    return Math.max(1e-6, line.getSlope());
  }

  /** Efficiency of waiting replicas, over the number of them. */
  private static void curves(Page page, RoundTime time) throws IOException {
    page.heading("Up to 1000 replicas")
        .paragraph(
            """
            The share of time in which replicas learn, each on its own machine with 10 Gbit/s, by \
            schedule, model and time between contributions. Under `overlap` a replica only makes \
            its passes itself, where its machine has a second processor, and waits for rounds that \
            take longer than it learns.""");
    Map<String, List<Double>> series = new LinkedHashMap<>();
    for (double megabytes : List.of(0.1, 4.0, 40.0)) {
      for (double learning : List.of(0.03, 0.3)) {
        String setting =
            "%s MB, %s ms".formatted(Figures.plain(megabytes), Figures.plain(1e3 * learning));
        series.put(
            "`sync`, " + setting,
            FAR.stream()
                .map(replicas -> time.efficiency(replicas, megabytes, LINK, learning))
                .toList());
        series.put(
            "`overlap`, " + setting,
            FAR.stream()
                .map(replicas -> time.overlapped(replicas, megabytes, LINK, learning))
                .toList());
      }
    }
    Table table = new Table(header());
    series.forEach(
        (name, values) -> {
          List<String> row = new ArrayList<>(List.of(name));
          values.forEach(value -> row.add(Figures.ratio(value)));
          table.row(row);
        });
    page.table(table)
        .curves(
            "efficiency",
            "Time that replicas learn in",
            "replicas",
            "share",
            FAR.stream().map(Integer::doubleValue).toList(),
            series);
  }

  private static void limits(Page page, RoundTime time) {
    page.heading("Where it would stop")
        .paragraph(
            """
            The curves assume that as many tasks as replicas combine the blocks, so that none \
            carries more than twice the model, whatever its size. The job has at most 128 of them, \
            unless `pipeline.max-parallelism` says otherwise, and at most one per block, so beyond \
            that each carries more. Only the coordinator is a single task: it receives every \
            contribution's announcement. Under `sync` with 300 ms between contributions, its part \
            of a round is a tenth of the learning from about %s replicas on."""
                .formatted(Math.round(0.03 / time.coordinator())));
  }

  private static List<String> header() {
    List<String> header = new ArrayList<>(List.of("model, between contributions"));
    FAR.forEach(replicas -> header.add(replicas.toString()));
    return header;
  }
}
