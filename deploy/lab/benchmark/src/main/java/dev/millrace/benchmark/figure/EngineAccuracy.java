package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One pass over Fashion-MNIST from Kafka, LeNet at batch 32, by each engine in turn: hold-out
 * accuracy of the model that is left, and examples a second.
 */
public final class EngineAccuracy {

  private static final List<String> ENGINES = List.of(Engines.DL4J, Engines.TORCH);

  private final Lab lab;
  private final ExampleSet data;
  private final Map<String, Samples> rates = new LinkedHashMap<>();
  private final Map<String, Samples> accuracies = new LinkedHashMap<>();

  /**
   * Opens the data.
   *
   * @param directory with the four files of Fashion-MNIST
   */
  public EngineAccuracy(Lab lab, Path directory) throws IOException {
    this.lab = lab;
    this.data = DataSpec.parse("idx:" + directory).open();
  }

  public void measure() throws IOException {
    Workload workload = Workload.all().get(0);
    WorkloadData training = WorkloadData.of(data.training());
    List<Example> holdOut = WorkloadData.of(data.holdOut()).examples();
    try (Cluster cluster =
        Cluster.start(lab.checkout(), lab.directory("engine-accuracy"), 1, 2, Map.of())) {
      training.produce(
          cluster.bootstrapServers(),
          workload.name(),
          2,
          workload.format(),
          lab.scaled(training.examples().size()));
      for (int turn = 0; turn < lab.repetitions(); turn++) {
        for (String engine : ENGINES) {
          run(cluster, engine, workload, turn, holdOut);
        }
      }
    }
    write();
  }

  /** Trains from another beginning each turn. */
  private void run(
      Cluster cluster, String engine, Workload workload, int turn, List<Example> holdOut)
      throws IOException {
    String name = engine + "-" + turn;
    TrainingRecords records =
        new TrainingRun(cluster, "engine-accuracy-" + name)
            .setAll(workload.options())
            .set("model.engine", engine)
            .set("model.seed", Integer.toString(turn + 1))
            .set("batch.local-size", Integer.toString(workload.batch()))
            .set("exchange.preset", "parameter-averaging")
            .set("snapshot.directory", lab.directory("engine-models").resolve(name).toString())
            .set("snapshot.interval", "0")
            .run();
    List<String> models =
        records.of("snapshot").stream().map(record -> record.get("model").asText()).toList();
    double accuracy =
        new ArchiveAccuracy(engine, holdOut).of(Path.of(models.get(models.size() - 1)));
    double rate = records.examplesPerSecond();
    lab.say(
        String.format(
            Locale.ROOT,
            "%s: accuracy %.4f, %s examples/s",
            engine,
            accuracy,
            Figures.plain(rate)));
    rates.computeIfAbsent(engine, any -> new Samples()).add(rate);
    accuracies.computeIfAbsent(engine, any -> new Samples()).add(accuracy);
  }

  private void write() throws IOException {
    Page page = lab.page("engines-fashion-mnist", "Fashion-MNIST, both engines");
    page.paragraph(
        """
        One pass over the training examples of Fashion-MNIST from Kafka: LeNet, Nesterovs 0.01 and \
        0.9, batch 32, two replicas, averaging every 3 steps. Hold-out accuracy of the last model \
        and examples per second, medians of %s turns with seeds of their own, with minimum and \
        maximum.\
        """
            .formatted(lab.repetitions()));
    Table table = new Table("engine", "accuracy", "examples/s", "of dl4j");
    for (String engine : ENGINES) {
      Samples accuracy = accuracies.get(engine);
      Samples rate = rates.get(engine);
      table.row(
          engine,
          String.format(
              Locale.ROOT,
              "%.4f (%.4f–%.4f)",
              accuracy.median(),
              accuracy.least(),
              accuracy.greatest()),
          Figures.range(rate),
          Figures.ratio(rate.median() / rates.get(Engines.DL4J).median()));
      page.samples(engine + ", accuracy", "", accuracy);
      page.samples(engine, "examples/s", rate);
    }
    page.table(table).write();
  }
}
