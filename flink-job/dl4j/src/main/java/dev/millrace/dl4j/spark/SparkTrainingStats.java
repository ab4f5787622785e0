package dev.millrace.dl4j.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/** What training did: of each {@code fit} its rounds, its examples and its seconds. Thread-safe. */
@PublicEvolving
public final class SparkTrainingStats implements Serializable {

  private static final long serialVersionUID = 1;

  private static final String ROUNDS = "rounds";
  private static final String EXAMPLES = "examples";
  private static final String SECONDS = "seconds";

  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  SparkTrainingStats() {
    values.put(ROUNDS, new ArrayList<>());
    values.put(EXAMPLES, new ArrayList<>());
    values.put(SECONDS, new ArrayList<>());
  }

  synchronized void add(long rounds, long examples, double seconds) {
    values.get(ROUNDS).add((double) rounds);
    values.get(EXAMPLES).add((double) examples);
    values.get(SECONDS).add(seconds);
  }

  /** Returns the names of what is counted. */
  public Set<String> getKeySet() {
    return Set.copyOf(values.keySet());
  }

  /**
   * Returns what was counted, one number for each {@code fit}.
   *
   * @throws IllegalArgumentException if nothing has this name
   */
  public synchronized List<Double> getValue(String key) {
    List<Double> counted = values.get(key);
    if (counted == null) {
      throw new IllegalArgumentException(
          "Nothing is counted as %s: there are %s".formatted(key, values.keySet()));
    }
    return List.copyOf(counted);
  }

  /** Returns the name itself. */
  public String getShortNameForKey(String key) {
    return key;
  }

  /** Adds the statistics of another training. */
  public synchronized void addOtherTrainingStats(SparkTrainingStats other) {
    values.forEach((key, counted) -> counted.addAll(other.getValue(key)));
  }

  /** Returns null: there are no others within. */
  public SparkTrainingStats getNestedTrainingStats() {
    return null;
  }

  /** Returns one line for each {@code fit}. */
  public synchronized String statsAsString() {
    StringBuilder text = new StringBuilder("fit rounds examples seconds examples/s\n");
    for (int i = 0; i < values.get(ROUNDS).size(); i++) {
      double examples = values.get(EXAMPLES).get(i);
      double seconds = values.get(SECONDS).get(i);
      text.append(
          String.format(
              Locale.ROOT,
              "%s %.0f %.0f %.3f %.0f\n",
              i + 1,
              values.get(ROUNDS).get(i),
              examples,
              seconds,
              examples / seconds));
    }
    return text.toString();
  }

  /** Writes {@link #statsAsString} to a file of the directory, on any of Flink's file systems. */
  public void exportStatFiles(String directory, JavaSparkContext context) throws IOException {
    Path file = new Path(directory, "training.txt");
    try (OutputStream out = file.getFileSystem().create(file, WriteMode.OVERWRITE)) {
      out.write(statsAsString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
