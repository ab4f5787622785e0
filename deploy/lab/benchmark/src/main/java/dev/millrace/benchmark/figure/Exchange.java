package dev.millrace.benchmark.figure;

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

/**
 * Rounds of models that learn nothing: two replicas in two processes, a contribution after every
 * step.
 */
public final class Exchange {

  private static final List<Double> MEGABYTES = List.of(0.1, 4.0, 40.0, 100.0);
  private static final double SWEPT = 40;
  private static final List<String> BLOCKS =
      List.of("64 kb", "128 kb", "256 kb", "512 kb", "1 mb", "2 mb", "4 mb");
  private static final List<String> SEGMENTS = List.of("32kb", "64kb", "128kb", "256kb", "512kb");

  private final Lab lab;

  public Exchange(Lab lab) {
    this.lab = lab;
  }

  public void measure() throws IOException {
    Page page = lab.page("exchange", "The exchange alone");
    page.paragraph(
        """
        Two replicas, each in its own process, exchange a model that learns nothing: a step takes \
        no time, and a contribution of the whole model and a round follow each step (`sync`, \
        `float32`). Rates are of model per replica, which sends it once and receives it once per \
        round. Medians of %s runs, with minimum and maximum. The second table gives plain copying \
        in the same unit, bytes that arrive. Each process sends half of its contributions and half \
        of the other's global model, so as many bytes as the model has, while it receives as many: \
        connections both ways are what a round of 40 MB is compared with."""
            .formatted(lab.repetitions()));
    Map<Double, Samples> sizes = new LinkedHashMap<>();
    Map<String, Samples> blocks = new LinkedHashMap<>();
    Samples array = new Samples();
    Samples loopback = new Samples();
    Samples bothWays = new Samples();
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("exchange"), 2, 1, StillRun.MEMORY)) {
      StillRun runs = new StillRun(lab, cluster);
      runs.warmUp();
      for (int turn = 0; turn < lab.repetitions(); turn++) {
        for (double megabytes : MEGABYTES) {
          sizes
              .computeIfAbsent(megabytes, any -> new Samples())
              .add(runs.roundsPerSecond(megabytes, 2, Map.of()));
        }
        for (String block : BLOCKS) {
          double rounds = runs.roundsPerSecond(SWEPT, 2, Map.of("exchange.block-size", block));
          blocks.computeIfAbsent(block, any -> new Samples()).add(SWEPT * rounds);
        }
        array.add(Copying.arrays());
        loopback.add(Copying.loopback());
        bothWays.add(Copying.loopbackBothWays());
      }
    }
    report(page, sizes, array, loopback, bothWays);
    sweep(page, "Block size, at 40 MB", "block", blocks);
    sweep(page, "Size of Flink's network buffers, at 40 MB", "buffer", segments());
    page.write();
  }

  private static void report(
      Page page, Map<Double, Samples> sizes, Samples array, Samples loopback, Samples bothWays) {
    Table table = new Table("model", "rounds/s", "ms a round", "MB/s of model per replica");
    sizes.forEach(
        (megabytes, rounds) -> {
          table.row(
              Figures.plain(megabytes) + " MB",
              Figures.range(rounds),
              Figures.plain(1e3 / rounds.median()),
              Figures.plain(megabytes * rounds.median()));
          page.samples(megabytes + " MB", "rounds/s", rounds);
        });
    page.table(table);
    page.table(
        new Table("copying 40 MB", "MB/s")
            .row("`System.arraycopy`", Figures.range(array))
            .row("a TCP connection over loopback", Figures.range(loopback))
            .row("two, one each way, each", Figures.range(bothWays)));
    double rate = SWEPT * sizes.get(SWEPT).median();
    page.paragraph(
        "The exchange of 40 MB carries %s of what two connections do."
            .formatted(Figures.ratio(rate / bothWays.median())));
    page.samples("arraycopy", "MB/s", array)
        .samples("loopback", "MB/s", loopback)
        .samples("loopback both ways", "MB/s", bothWays);
  }

  private Map<String, Samples> segments() throws IOException {
    Map<String, Samples> found = new LinkedHashMap<>();
    for (int turn = 0; turn < lab.repetitions(); turn++) {
      for (String segment : SEGMENTS) {
        Map<String, String> settings = new LinkedHashMap<>(StillRun.MEMORY);
        settings.put("taskmanager.memory.segment-size", segment);
        try (Cluster cluster =
            Cluster.start(
                lab.checkout(),
                lab.directory("exchange-" + segment + "-" + turn),
                2,
                1,
                settings)) {
          double rounds = new StillRun(lab, cluster).roundsPerSecond(SWEPT, 2, Map.of());
          found.computeIfAbsent(segment, any -> new Samples()).add(SWEPT * rounds);
        }
      }
    }
    return found;
  }

  private static void sweep(Page page, String title, String what, Map<String, Samples> found)
      throws IOException {
    page.heading(title);
    Table table = new Table(what, "MB/s of model per replica");
    List<Double> medians = new ArrayList<>();
    found.forEach(
        (setting, samples) -> {
          table.row(setting, Figures.range(samples));
          medians.add(samples.median());
          page.samples(what + " " + setting, "MB/s", samples);
        });
    page.table(table);
    page.bars(
        what,
        title,
        "MB/s of model per replica",
        List.copyOf(found.keySet()),
        Map.of("40 MB", medians));
  }
}
