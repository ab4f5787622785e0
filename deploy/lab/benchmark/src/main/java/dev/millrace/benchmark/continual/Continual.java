package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.report.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Learning that never ends: streams in their order, drift, tasks one after the other, and a
 * population beside fixed learning rates. Each through Kafka, by jobs as users submit them.
 */
public final class Continual {

  private final Lab lab;
  private final Set<String> wanted;
  private final Path streams;
  private final Path fashionMnist;

  /**
   * @param wanted of streams, population, drift, split and permuted; all where it is empty
   * @param streamsOrNull directory with the tables; null leaves out what needs them
   * @param fashionMnistOrNull directory with the four files; null leaves out what needs them
   */
  public Continual(Lab lab, Set<String> wanted, Path streamsOrNull, Path fashionMnistOrNull) {
    this.lab = lab;
    this.wanted = Set.copyOf(wanted);
    this.streams = streamsOrNull;
    this.fashionMnist = fashionMnistOrNull;
  }

  /** A figure: its part of the page. */
  @FunctionalInterface
  private interface Part {
    void measure(StreamLab stream, Page page) throws IOException;
  }

  public void measure() throws IOException {
    Map<String, Part> parts = new LinkedHashMap<>();
    if (streams != null) {
      parts.put(
          "streams", (stream, page) -> new StreamAccuracy(lab, stream, streams).measure(page));
      parts.put(
          "population", (stream, page) -> new PopulationGrid(lab, stream, streams).measure(page));
    }
    parts.put(
        "drift", (stream, page) -> new DriftRecovery(lab, stream, fashionMnist).measure(page));
    if (fashionMnist != null) {
      parts.put("split", (stream, page) -> new SplitTasks(lab, stream, fashionMnist).measure(page));
    }
    parts.put("permuted", (stream, page) -> new Plasticity(lab, stream).measure(page));
    if (!wanted.isEmpty()) {
      parts.keySet().retainAll(wanted);
    }
    Page page = lab.page(name(), "Learning that never ends");
    page.paragraph(
        """
        Each record is predicted first and learned then (prequential accuracy), in the order of the \
        stream, once. Jobs read from Kafka; where there are two replicas, each reads every second \
        record. [Changing data](../guides/changing-data.md) says which remedy is for what.\
        """);
    try (StreamLab stream = new StreamLab(lab)) {
      for (Part part : parts.values()) {
        part.measure(stream, page);
      }
    }
    page.write();
  }

  /** Returns the page's name: a run of some figures leaves the page of all alone. */
  private String name() {
    return wanted.isEmpty()
        ? "continual"
        : "continual-" + String.join("-", wanted.stream().sorted().toList());
  }
}
