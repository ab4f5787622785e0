package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.workload.PermutedTasks;
import dev.millrace.file.DataSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loss of plasticity (Dohare et al. 2024): 400 tasks one after the other, each of drawn digits
 * whose pixels are in an order of their own. As each task is as hard as the others, a network that
 * still learns as well as at first predicts the last ones as well.
 */
final class Plasticity {

  private static final int TASKS = 400;
  private static final int LENGTH = 500;
  private static final int COMPARED = 50;
  private static final String FORMAT = "uint8";
  private static final String STREAM = "permuted";

  private static final Map<String, String> PLAIN =
      Map.of("batch.size", "1", "batch.local-size", "1", "exchange.local-steps", "1");

  private final Lab lab;
  private final StreamLab stream;

  Plasticity(Lab lab, StreamLab stream) {
    this.lab = lab;
    this.stream = stream;
  }

  void measure(Page page) throws IOException {
    int tasks = (int) Math.max(2, lab.scaled(TASKS));
    int compared = Math.min(COMPARED, tasks / 2);
    // Twice as many, since the second half of drawn digits is turned.
    stream.produce(
        STREAM,
        FORMAT,
        () ->
            new PermutedTasks(
                DataSpec.parse("digits:" + 2L * tasks * LENGTH).open().training(),
                tasks,
                LENGTH,
                5));
    page.heading("Permuted digits, %s tasks".formatted(tasks))
        .paragraph(
            """
            An MLP of 64 and 32 units, one replica, minibatches of one, %s records a task. The remedy \
            is `forgetting.older-model: initial` with `forgetting.strength: 0.001`: parameters go back a \
            little towards those that the job began with, after each step.\
            """
                .formatted(LENGTH));
    Map<String, Learned> runs = new LinkedHashMap<>();
    runs.put("plain", stream.learn(STREAM, FORMAT, 1, PLAIN));
    Map<String, String> anchored = new LinkedHashMap<>(PLAIN);
    anchored.put("forgetting.older-model", "initial");
    anchored.put("forgetting.strength", "0.001");
    runs.put("anchored to the initial model", stream.learn(STREAM, FORMAT, 1, anchored));
    Table table = new Table("", "first " + compared + " tasks", "last " + compared + " tasks");
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    runs.forEach(
        (run, learned) -> {
          long length = (long) compared * LENGTH;
          double first = learned.accuracy(0, length);
          double last = learned.accuracy(learned.examples() - length, learned.examples());
          lab.say(String.format(Locale.ROOT, "%s: first %.3f, last %.3f", run, first, last));
          table.row(run, StreamAccuracy.figure(first), StreamAccuracy.figure(last));
          Samples samples = new Samples();
          samples.add(first);
          samples.add(last);
          page.samples("permuted, " + run + ", first and last", "", samples);
          curves.put(run, learned.curve(TASKS / 10));
        });
    page.table(table)
        .lines("permuted", "Permuted digits", "records", "accuracy of the latest", curves);
  }
}
