package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.workload.ExchangedClasses;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Abrupt drift: classes are exchanged in pairs. How soon is it found, how often is one found where
 * there is none, and how soon is accuracy back, with reactions and without?
 */
final class DriftRecovery {

  private static final int BEFORE = 30_000;
  private static final int AFTER = 30_000;
  private static final int STILL = 100_000;
  private static final int WINDOW = 1_000;
  private static final int PARTS = 60;
  private static final double POINTS = 0.02;
  private static final String FORMAT = "uint8";

  /** Each step replays three recent examples for a fresh one, before the drift and after it. */
  private static final Map<String, String> PLAIN =
      Map.of(
          "batch.size", "16",
          "exchange.local-steps", "3",
          "replay.size", "200",
          "replay.keep", "recent",
          "replay.share", "0.75",
          "drift.detector", "adwin");

  private static final Map<String, String> REACTING =
      Map.of("drift.reaction", "smaller-batches", "drift.examples", "8000");

  private final Lab lab;
  private final StreamLab stream;
  private final Path fashionMnistOrNull;

  DriftRecovery(Lab lab, StreamLab stream, Path fashionMnistOrNull) {
    this.lab = lab;
    this.stream = stream;
    this.fashionMnistOrNull = fashionMnistOrNull;
  }

  void measure(Page page) throws IOException {
    page.heading("Abrupt drift")
        .paragraph(
            String.format(
                Locale.ROOT,
                """
                An MLP, two replicas, minibatches of 16 in all. Each step replays three recent examples \
                for a fresh one. After the first examples classes are exchanged in pairs. Delay and \
                recovery are in examples; recovery is until %,d in a row are predicted within 2 points \
                of before. With reactions: `drift.reaction: smaller-batches` and `drift.examples: 8000`.\
                """,
                WINDOW));
    Table table =
        new Table(
            "data",
            "found after",
            "recovery without reactions",
            "recovery with reactions",
            String.format(Locale.ROOT, "found in %,d examples without drift", lab.scaled(STILL)));
    measure("digits", this::digits, page, table);
    if (fashionMnistOrNull != null) {
      measure("fashion-mnist", this::fashionMnist, page, table);
    }
    page.table(table);
  }

  private ExampleSequence digits(long count) throws IOException {
    // Twice as many, since the second half of drawn digits is turned.
    return DataSpec.parse("digits:" + 2 * count).open().training();
  }

  private ExampleSequence fashionMnist(long count) throws IOException {
    return new Repeating(() -> DataSpec.parse("idx:" + fashionMnistOrNull).open().training());
  }

  /** Opens as many examples of one kind as are asked for. */
  @FunctionalInterface
  private interface Data {
    ExampleSequence open(long count) throws IOException;
  }

  private void measure(String name, Data data, Page page, Table table) throws IOException {
    long before = lab.scaled(BEFORE);
    long all = before + lab.scaled(AFTER);
    long still = lab.scaled(STILL);
    stream.produce(
        "drift-" + name, FORMAT, () -> new ExchangedClasses(data.open(all), before, all));
    stream.produce(
        "still-" + name, FORMAT, () -> new ExchangedClasses(data.open(still), still, still));
    Map<String, Learned> runs = new LinkedHashMap<>();
    runs.put("without reactions", stream.learn("drift-" + name, FORMAT, 2, PLAIN));
    runs.put("with reactions", stream.learn("drift-" + name, FORMAT, 2, reacting()));
    Learned alarms = stream.learn("still-" + name, FORMAT, 2, PLAIN);
    List<Long> found =
        runs.get("without reactions").drifts().stream().filter(at -> at >= before).toList();
    String delay =
        found.isEmpty() ? "never" : String.format(Locale.ROOT, "%,d", found.get(0) - before);
    table.row(
        name,
        delay,
        recovery(runs.get("without reactions"), before),
        recovery(runs.get("with reactions"), before),
        Integer.toString(alarms.drifts().size()));
    lab.say("%s: found after %s".formatted(name, delay));
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    runs.forEach((run, learned) -> curves.put(run, learned.curve(PARTS)));
    page.lines("drift-" + name, "Drift: " + name, "examples", "accuracy of the latest", curves);
    runs.forEach(
        (run, learned) ->
            learned
                .recovery(before, WINDOW, well(learned, before))
                .ifPresent(
                    examples -> {
                      Samples samples = new Samples();
                      samples.add((double) examples);
                      page.samples(
                          "drift-%s, recovery %s".formatted(name, run), "examples", samples);
                    }));
  }

  private static Map<String, String> reacting() {
    Map<String, String> options = new LinkedHashMap<>(PLAIN);
    options.putAll(REACTING);
    return options;
  }

  /**
   * Returns the accuracy that is meant by back: within so many points of the last examples before.
   */
  private static double well(Learned learned, long change) {
    return learned.accuracy(change - change / 4, change) - POINTS;
  }

  private String recovery(Learned learned, long change) {
    OptionalLong examples = learned.recovery(change, WINDOW, well(learned, change));
    return examples.isPresent()
        ? String.format(Locale.ROOT, "%,d", examples.getAsLong())
        : "not in the stream";
  }
}
