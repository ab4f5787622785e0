package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A population, whose rates nobody chose for the stream, beside one network of each of 7 rates. */
final class PopulationGrid {

  private static final List<String> RATES =
      List.of("0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1");

  /** The replayed examples beside each fresh one. */
  private static final List<Integer> REPLAYED = List.of(0, 7);

  private final Lab lab;
  private final StreamLab stream;
  private final Path directory;

  PopulationGrid(Lab lab, StreamLab stream, Path directory) {
    this.lab = lab;
    this.stream = stream;
    this.directory = directory;
  }

  void measure(Page page) throws IOException {
    List<String> names = new Streams(directory, stream, Math.min(1, lab.scale())).produce("grid-");
    page.heading("A population beside fixed learning rates")
        .paragraph(
            """
            One replica, the engine `torch`. The population is that of `preset: streaming`. Beside \
            it one network of each rate, by the same options without a population: without replay, \
            and with as many replayed examples a step as the population's members have. The best \
            of all of them is known afterwards only.\
            """);
    List<String> header = new ArrayList<>(List.of("stream", "replayed", "population"));
    header.addAll(RATES);
    header.add("population minus the best rate");
    Table table = new Table(header);
    for (String name : names) {
      double population = learn(page, name, "population", Streams.OPTIONS);
      List<List<String>> rows = new ArrayList<>();
      double best = 0;
      for (int replayed : REPLAYED) {
        List<String> row = new ArrayList<>(List.of(name, Integer.toString(replayed)));
        row.add(StreamAccuracy.figure(population));
        for (String rate : RATES) {
          String run = "rate %s, %s replayed".formatted(rate, replayed);
          double accuracy = learn(page, name, run, alone(rate, replayed));
          row.add(StreamAccuracy.figure(accuracy));
          best = Math.max(best, accuracy);
        }
        rows.add(row);
      }
      for (List<String> row : rows) {
        row.add(StreamAccuracy.figure(population - best));
        table.row(row);
      }
    }
    page.table(table);
  }

  private double learn(Page page, String name, String run, Map<String, String> options)
      throws IOException {
    double accuracy = stream.learn("grid-" + name, Streams.FORMAT, 1, options).accuracy();
    lab.say("%s, %s: %s".formatted(name, run, StreamAccuracy.figure(accuracy)));
    Samples samples = new Samples();
    samples.add(accuracy);
    page.samples(name + ", " + run, "", samples);
    return accuracy;
  }

  private static Map<String, String> alone(String rate, int replayed) {
    Map<String, String> options = new LinkedHashMap<>(Streams.ENGINE);
    options.put("batch.size", "1");
    options.put("batch.local-size", "1");
    options.put("exchange.local-steps", "1");
    options.put("model.momentum", "0");
    options.put("model.learning-rate", rate);
    if (replayed > 0) {
      options.put("replay.size", "2000");
      options.put("replay.keep", "recent");
      options.put("replay.share", Double.toString(replayed / (replayed + 1.0)));
    }
    return options;
  }
}
