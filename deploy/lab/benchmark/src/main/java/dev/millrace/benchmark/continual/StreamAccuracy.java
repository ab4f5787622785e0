package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prequential accuracy on tables, by one set of options, with one replica and with two. */
final class StreamAccuracy {

  private static final int PARTS = 40;

  /** What one replica is to reach. */
  private static final Map<String, Double> TARGETS =
      Map.of("electricity", 0.90, "noaa_weather", 0.80, "phishing", 0.95, "covtype_first10k", 0.77);

  private final Lab lab;
  private final StreamLab stream;
  private final Path directory;

  StreamAccuracy(Lab lab, StreamLab stream, Path directory) {
    this.lab = lab;
    this.stream = stream;
    this.directory = directory;
  }

  void measure(Page page) throws IOException {
    List<String> names = new Streams(directory, stream, Math.min(1, lab.scale())).produce("");
    page.heading("Tables, one set of options")
        .paragraph(
            """
            `preset: streaming`, an MLP of 64 and 32 units and the engine `torch` for all; `plain`: \
            the defaults, engine included. In brackets what is aimed at.\
            """);
    Table table = new Table("stream", "one replica", "two replicas", "plain, two replicas");
    for (String name : names) {
      Map<String, Learned> runs = new LinkedHashMap<>();
      runs.put("one replica", stream.learn(name, Streams.FORMAT, 1, Streams.OPTIONS));
      runs.put("two replicas", stream.learn(name, Streams.FORMAT, 2, Streams.OPTIONS));
      runs.put("plain, two replicas", stream.learn(name, Streams.FORMAT, 2, Map.of()));
      double target = TARGETS.get(name);
      table.row(
          name,
          "%s (%s)".formatted(figure(page, name, "one replica", runs), figure(target)),
          "%s (%s)".formatted(figure(page, name, "two replicas", runs), figure(target - 0.02)),
          figure(page, name, "plain, two replicas", runs));
      Map<String, List<double[]>> curves = new LinkedHashMap<>();
      runs.forEach((run, learned) -> curves.put(run, learned.curve(PARTS)));
      page.lines(name, name, "records", "accuracy of the latest", curves);
    }
    page.table(table);
  }

  private String figure(Page page, String name, String run, Map<String, Learned> runs) {
    double accuracy = runs.get(run).accuracy();
    lab.say("%s, %s: %s".formatted(name, run, figure(accuracy)));
    Samples samples = new Samples();
    samples.add(accuracy);
    page.samples(name + ", " + run, "", samples);
    return figure(accuracy);
  }

  static String figure(double accuracy) {
    return String.format(Locale.ROOT, "%.3f", accuracy);
  }
}
