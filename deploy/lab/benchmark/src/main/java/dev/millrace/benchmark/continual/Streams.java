package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.workload.Concatenated;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.example.Example;
import dev.millrace.file.DataSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The tables that are learned in their order, with one set of options. */
final class Streams {

  static final String FORMAT = "float32";
  static final List<String> NAMES =
      List.of("electricity", "noaa_weather", "phishing", "covtype_first10k");

  /** The engine that is fastest where steps are small. */
  static final Map<String, String> ENGINE = Map.of("model.engine", "torch");

  /** The one set. */
  static final Map<String, String> OPTIONS = Map.of("preset", "streaming", "model.engine", "torch");

  private final Path directory;
  private final StreamLab lab;
  private final double scale;

  Streams(Path directory, StreamLab lab, double scale) {
    this.directory = directory;
    this.lab = lab;
    this.scale = scale;
  }

  /**
   * Produces the streams whose files are there, each once in Kafka; their beginnings where all is
   * to be short.
   */
  List<String> produce(String prefix) throws IOException {
    List<String> found = NAMES.stream().filter(name -> Files.exists(file(name))).toList();
    for (String name : found) {
      List<Example> rows =
          WorkloadData.of(DataSpec.parse("csv:" + file(name)).open().training()).examples();
      List<Example> taken =
          rows.subList(
              0, (int) Math.max(1, Math.min(rows.size(), Math.round(rows.size() * scale))));
      lab.produce(prefix + name, FORMAT, () -> new Concatenated(taken));
    }
    return found;
  }

  private Path file(String name) {
    return directory.resolve(name + ".csv.gz");
  }
}
