package dev.millrace.benchmark.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What one benchmark found: {@code NAME.md} for people, {@code NAME.json} with every single
 * measurement, and charts as {@code NAME-….png}, all in one directory.
 */
public final class Page {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path directory;
  private final String name;
  private final Machine machine = new Machine();
  private final StringBuilder text = new StringBuilder();
  private final ObjectNode data = JSON.createObjectNode();

  public Page(Path directory, String name, String title) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.name = name;
    text.append("# ").append(title).append("\n\n");
  }

  public Page paragraph(String paragraph) {
    text.append(paragraph).append("\n\n");
    return this;
  }

  public Page heading(String heading) {
    text.append("## ").append(heading).append("\n\n");
    return this;
  }

  public Page table(Table table) {
    text.append(table.markdown()).append('\n');
    return this;
  }

  /** Keeps every measurement of a figure. */
  public Page samples(String figure, String unit, Samples samples) {
    ObjectNode node = data.withObjectProperty(figure);
    node.put("unit", unit);
    node.put("median", samples.median());
    ArrayNode values = node.putArray("values");
    samples.values().forEach(values::add);
    return this;
  }

  public Page bars(
      String chart,
      String title,
      String unit,
      List<String> groups,
      Map<String, List<Double>> series)
      throws IOException {
    Charts.write(show(chart, title), title, unit, groups, series);
    return this;
  }

  public Page curves(
      String chart,
      String title,
      String xTitle,
      String yTitle,
      List<Double> x,
      Map<String, List<Double>> series)
      throws IOException {
    Charts.writeCurves(show(chart, title), title, xTitle, yTitle, x, series);
    return this;
  }

  /** Lines of points, each x and y, over linear axes. */
  public Page lines(
      String chart, String title, String xTitle, String yTitle, Map<String, List<double[]>> series)
      throws IOException {
    Charts.writeLines(show(chart, title), title, xTitle, yTitle, series);
    return this;
  }

  private Path show(String chart, String title) {
    String file = "%s-%s.png".formatted(name, chart);
    text.append("![%s](%s)%n%n".formatted(title, file));
    return directory.resolve(file);
  }

  /** Writes page and data. */
  public void write() throws IOException {
    text.append("Measured on ").append(machine.line()).append(".\n");
    Files.writeString(directory.resolve(name + ".md"), text);
    ObjectNode all = JSON.createObjectNode();
    all.set("machine", machine.describe());
    all.set("figures", data);
    Files.writeString(
        directory.resolve(name + ".json"), JSON.writeValueAsString(all) + System.lineSeparator());
  }
}
