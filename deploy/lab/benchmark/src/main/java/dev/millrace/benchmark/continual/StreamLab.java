package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.Lab;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cluster with streams in its broker, each in a topic of one partition and in one of two, and
 * jobs that learn from them.
 */
final class StreamLab implements AutoCloseable {

  private static final int REPLICAS = 2;

  private final Lab lab;
  private final Cluster cluster;
  private final Map<String, ExampleShape> shapes = new HashMap<>();
  private int runs;

  StreamLab(Lab lab) throws IOException {
    this.lab = lab;
    this.cluster =
        Cluster.start(lab.checkout(), lab.directory("continual-cluster"), 1, REPLICAS, Map.of());
  }

  /** Opens a stream anew, from its beginning. */
  @FunctionalInterface
  interface Source {
    ExampleSequence open() throws IOException;
  }

  /**
   * Makes the topics of a stream.
   *
   * @param format of the records
   */
  void produce(String stream, String format, Source source) throws IOException {
    for (int partitions = 1; partitions <= REPLICAS; partitions++) {
      ExampleSequence examples = source.open();
      shapes.put(stream, examples.shape());
      long count =
          WorkloadData.produce(
              cluster.bootstrapServers(), topic(stream, partitions), partitions, format, examples);
      lab.say("%s: %s examples in %s partitions".formatted(stream, count, partitions));
    }
  }

  private static String topic(String stream, int partitions) {
    return "continual-%s-%s".formatted(stream, partitions);
  }

  /**
   * Learns from a stream once.
   *
   * @param replicas as many as the topic has partitions
   */
  Learned learn(String stream, String format, int replicas, Map<String, String> options)
      throws IOException {
    String name = "continual-%s-%s".formatted(stream, ++runs);
    ExampleShape shape = shapes.get(stream);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("input.topics", topic(stream, replicas));
    all.put("input.format", format);
    all.put("input.features", Integer.toString(shape.features()));
    all.put("input.outputs", Integer.toString(shape.outputs()));
    all.put("model.name", "mlp");
    all.put("metrics.interval", "20 ms");
    all.put("snapshot.directory", lab.directory("continual-models").resolve(name).toString());
    all.put("snapshot.interval", "0");
    all.putAll(options);
    return new Learned(new TrainingRun(cluster, name).replicas(replicas).setAll(all).run());
  }

  @Override
  public void close() {
    cluster.close();
  }
}
