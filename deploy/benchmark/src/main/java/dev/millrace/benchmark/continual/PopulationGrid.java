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
            One replica. The population is that of `preset: streaming`. Beside it one network of \
            each rate, by the same options without a population and without replay. The best of \
            them is known afterwards only.\
            """);
    List<String> header = new ArrayList<>(List.of("stream", "population"));
    header.addAll(RATES);
    header.add("population minus the best rate");
    Table table = new Table(header);
    for (String name : names) {
      double population =
          stream.learn("grid-" + name, Streams.FORMAT, 1, Streams.OPTIONS).accuracy();
      List<String> row = new ArrayList<>(List.of(name, StreamAccuracy.figure(population)));
      double best = 0;
      for (String rate : RATES) {
        double accuracy = alone(name, rate);
        lab.say("%s, rate %s: %s".formatted(name, rate, StreamAccuracy.figure(accuracy)));
        Samples samples = new Samples();
        samples.add(accuracy);
        page.samples("%s, rate %s".formatted(name, rate), "", samples);
        row.add(StreamAccuracy.figure(accuracy));
        best = Math.max(best, accuracy);
      }
      row.add(StreamAccuracy.figure(population - best));
      table.row(row);
    }
    page.table(table);
  }

  private double alone(String name, String rate) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("batch.size", "1");
    options.put("batch.local-size", "1");
    options.put("exchange.local-steps", "1");
    options.put("model.momentum", "0");
    options.put("model.learning-rate", rate);
    return stream.learn("grid-" + name, Streams.FORMAT, 1, options).accuracy();
  }
}
