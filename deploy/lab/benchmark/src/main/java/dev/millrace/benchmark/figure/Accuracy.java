package dev.millrace.benchmark.figure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.ChildProcess;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRecords;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.example.Example;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Seconds of learning until a hold-out accuracy, on Fashion-MNIST with LeNet at batch 32. Measured
 * with the clock stopped, by everybody about every 50 local steps of a worker: Millrace publishes a
 * model then, which is measured when its job has ended.
 */
public final class Accuracy {

  private static final double TARGET = 0.85;
  private static final int PASSES = 2;
  private static final int ROUNDS_BETWEEN = 17;
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final String WRAPPER = "ParallelWrapper, averaging";

  private final Lab lab;
  private final ExampleSet data;

  /**
   * Opens the data.
   *
   * @param directory with the four files of Fashion-MNIST
   */
  public Accuracy(Lab lab, Path directory) throws IOException {
    this.lab = lab;
    this.data = DataSpec.parse("idx:" + directory).open();
  }

  public void measure() throws IOException {
    Page page = lab.page("accuracy", "Time to accuracy");
    page.paragraph(
        """
        Seconds of learning until a hold-out accuracy of %s on Fashion-MNIST: LeNet, Nesterovs \
        0.01 and 0.9, batch 32, two workers or replicas. Models are measured about every 50 steps \
        of a worker; that time doesn't count. Medians of %s runs, with minimum and maximum.\
        """
            .formatted(TARGET, lab.repetitions()));
    Workload workload = Workload.all().get(0);
    Path files = lab.directory("accuracy");
    WorkloadData training = WorkloadData.of(data.training());
    List<Example> holdOut = WorkloadData.of(data.holdOut()).examples();
    PeerFiles.write(workload, training.examples(), files.resolve("training"));
    PeerFiles.writeHoldOut(holdOut, workload.batch(), files.resolve("hold-out"));
    Map<String, Samples> seconds = new LinkedHashMap<>();
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("accuracy-cluster"), 1, 2, Map.of())) {
      training.produce(
          cluster.bootstrapServers(),
          workload.name(),
          2,
          workload.format(),
          (long) PASSES * training.examples().size());
      ArchiveAccuracy measured = new ArchiveAccuracy("dl4j", holdOut);
      for (int turn = 0; turn < lab.repetitions(); turn++) {
        note(seconds, "plain fit", peer("plain-fit", files));
        note(seconds, WRAPPER, peer("parallel-wrapper", files));
        for (String preset :
            List.of("parameter-averaging", "overlap-averaging", "gradient-sharing")) {
          note(
              seconds,
              "Millrace, " + preset,
              millrace(cluster, workload, preset, preset + "-" + turn, measured));
        }
      }
    }
    report(page, seconds);
  }

  private void note(Map<String, Samples> seconds, String title, double value) {
    lab.say("%s: %s s".formatted(title, Figures.plain(value)));
    seconds.computeIfAbsent(title, any -> new Samples()).add(value);
  }

  /** Returns the seconds that a peer took; not a number where it never reached the accuracy. */
  private double peer(String name, Path files) {
    List<String> command = new ArrayList<>(Peers.peer(lab.checkout(), "accuracy"));
    command.addAll(
        List.of(
            name,
            files.resolve("training").toString(),
            files.resolve("hold-out").toString(),
            Double.toString(TARGET),
            Integer.toString(PASSES)));
    String said =
        new ChildProcess(files, ProcessContender.ONE_THREAD)
            .run("accuracy-" + name, LIMIT, command);
    JsonNode reached = ProcessContender.json(said).get("seconds");
    return reached.isNull() ? Double.NaN : reached.asDouble();
  }

  private double millrace(
      Cluster cluster, Workload workload, String preset, String name, ArchiveAccuracy measured)
      throws IOException {
    Path models = lab.directory("accuracy").resolve(name);
    int stepsARound = preset.equals("gradient-sharing") ? 1 : 3;
    TrainingRecords records =
        new TrainingRun(cluster, "accuracy-" + name)
            .setAll(workload.options())
            .set("batch.local-size", Integer.toString(workload.batch()))
            .set("exchange.preset", preset)
            .set("snapshot.directory", models.toString())
            .set("snapshot.interval", "0")
            .set("snapshot.rounds", Integer.toString(ROUNDS_BETWEEN * 3 / stepsARound))
            .set("snapshot.keep", "10000")
            .run();
    // When the first round was made, the first few steps had been.
    long start = records.of("progress").get(0).get("time").asLong();
    for (JsonNode snapshot : records.of("snapshot")) {
      if (snapshot.get("state").asText().equals("fresh")
          && measured.of(Path.of(snapshot.get("model").asText())) >= TARGET) {
        return (snapshot.get("time").asLong() - start) / 1e3;
      }
    }
    return Double.NaN;
  }

  private static void report(Page page, Map<String, Samples> seconds) throws IOException {
    Table table = new Table("", "seconds", "of plain fit", "of ParallelWrapper");
    List<Double> medians = new ArrayList<>();
    seconds.forEach(
        (title, samples) -> {
          table.row(
              title,
              Figures.range(samples),
              Figures.ratio(samples.median() / seconds.get("plain fit").median()),
              Figures.ratio(samples.median() / seconds.get(WRAPPER).median()));
          medians.add(samples.median());
          page.samples(title, "s", samples);
        });
    page.table(table)
        .bars(
            "seconds",
            "Seconds to a hold-out accuracy of " + TARGET,
            "s",
            List.copyOf(seconds.keySet()),
            Map.of("seconds", medians))
        .write();
  }
}
