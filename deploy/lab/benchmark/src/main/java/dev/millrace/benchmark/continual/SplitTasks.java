package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.ArchiveAccuracy;
import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.workload.Concatenated;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.example.Example;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fashion-MNIST in pairs of classes, one pair after the other, one pass: how much of all classes is
 * left at the end?
 */
final class SplitTasks {

  private static final int CLASSES_OF_A_TASK = 2;
  private static final int BUFFER = 200;
  private static final String FORMAT = "uint8";
  private static final String STREAM = "split";

  private final Lab lab;
  private final StreamLab stream;
  private final Path directory;

  SplitTasks(Lab lab, StreamLab stream, Path directory) {
    this.lab = lab;
    this.stream = stream;
    this.directory = directory;
  }

  void measure(Page page) throws IOException {
    ExampleSet data = DataSpec.parse("idx:" + directory).open();
    List<Example> training = WorkloadData.of(data.training()).examples();
    List<Example> holdOut = WorkloadData.of(data.holdOut()).examples();
    List<Example> shortened =
        training.subList(0, (int) Math.min(training.size(), lab.scaled(training.size())));
    Concatenated tasks = Concatenated.tasks(shortened, CLASSES_OF_A_TASK);
    stream.produce(STREAM, FORMAT, () -> new Concatenated(tasks.examples()));
    ArchiveAccuracy measured = new ArchiveAccuracy("dl4j", holdOut);
    Map<String, Double> accuracies = new LinkedHashMap<>();
    accuracies.put(
        "experience replay, as published: a loop without Millrace",
        new ReplayLoop(tasks.examples(), holdOut, BUFFER).accuracy());
    accuracies.put("Millrace without replay", accuracy(measured, Map.of()));
    Map<String, String> replay =
        Map.of(
            "replay.size", Integer.toString(BUFFER),
            "replay.keep", "class-balanced",
            "replay.share", "0.875");
    accuracies.put("Millrace, class-balanced replay", accuracy(measured, replay));
    Map<String, String> distilled = new LinkedHashMap<>(replay);
    distilled.put("replay.distillation", "0.45");
    accuracies.put(
        "Millrace, class-balanced replay with distillation", accuracy(measured, distilled));
    page.heading("Split Fashion-MNIST")
        .paragraph(
            """
            Tasks of two classes, one after the other, one pass, an MLP of 64 units, one replica, a \
            buffer of %s. Accuracy over all classes of the hold-out set at the end. The loop takes 10 \
            fresh examples a step and 10 of a reservoir (Chaudhry et al. 2019), by SGD at 0.01. \
            Millrace takes 10 fresh ones and, with replay, 70 kept ones, by SGD at 0.1, and publishes \
            a moving average with a half-life of 5,000 records.\
            """
                .formatted(BUFFER));
    Table table = new Table("", "accuracy at the end");
    accuracies.forEach(
        (run, accuracy) -> {
          lab.say("%s: %s".formatted(run, StreamAccuracy.figure(accuracy)));
          table.row(run, StreamAccuracy.figure(accuracy));
          Samples samples = new Samples();
          samples.add(accuracy);
          page.samples("split, " + run, "", samples);
        });
    page.table(table);
  }

  private double accuracy(ArchiveAccuracy measured, Map<String, String> more) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("model.hidden", "64");
    options.put("batch.size", "10");
    options.put("batch.local-size", "10");
    options.put("exchange.local-steps", "1");
    options.put("model.updater", "sgd");
    options.put("model.learning-rate", "0.1");
    // The average forgets more slowly than the model that each task pulls away.
    options.put("exchange.ema.half-life", "5000");
    options.putAll(more);
    return measured.of(stream.learn(STREAM, FORMAT, 1, options).model());
  }
}
