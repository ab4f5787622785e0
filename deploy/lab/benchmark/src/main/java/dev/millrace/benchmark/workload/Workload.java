package dev.millrace.benchmark.workload;

import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A network, its examples and a size of minibatches: the same for all that are compared.
 *
 * @param name of its files and topic
 * @param title for people
 * @param batch examples of a minibatch
 * @param format that Millrace's examples are written in
 * @param inMemory different examples, which peers learn from over and over
 * @param inTopic examples that a job of Millrace learns from, the same ones over and over
 * @param inTopicOfTorch as many for the engine torch as take about as long
 * @param network as Millrace builds it; peers are given what engines make of that
 */
public record Workload(
    String name,
    String title,
    int batch,
    String format,
    int inMemory,
    int inTopic,
    int inTopicOfTorch,
    BuiltIn network) {

  private static final ExampleShape IMAGE = new ExampleShape(784, 10, Target.CLASSIFICATION);
  private static final ExampleShape ROW = new ExampleShape(54, 7, Target.CLASSIFICATION);

  /** Returns the workloads that the project is measured by: about 40 seconds of learning each. */
  public static List<Workload> all() {
    return List.of(
        new Workload(
            "lenet-32", "LeNet 28x28, batch 32", 32, "uint8", 6_400, 24_000, 200_000, lenet()),
        new Workload(
            "lenet-128", "LeNet 28x28, batch 128", 128, "uint8", 6_400, 24_000, 240_000, lenet()),
        new Workload(
            "mlp-128",
            "MLP 784-1000-10, batch 128",
            128,
            "uint8",
            12_800,
            480_000,
            1_400_000,
            mlp(IMAGE, List.of(1000))),
        new Workload(
            "mlp-32",
            "MLP 784-1000-10, batch 32",
            32,
            "uint8",
            12_800,
            200_000,
            700_000,
            mlp(IMAGE, List.of(1000))),
        new Workload(
            "table-32",
            "MLP 54-128-64-7, batch 32",
            32,
            "float32",
            32_000,
            1_200_000,
            5_000_000,
            mlp(ROW, List.of(128, 64))));
  }

  private static BuiltIn lenet() {
    return new BuiltIn("lenet", IMAGE, List.of(), List.of(28, 28, 1), "nesterovs", 0.01, 0.9, 0, 1);
  }

  private static BuiltIn mlp(ExampleShape shape, List<Integer> hidden) {
    return new BuiltIn("mlp", shape, hidden, List.of(), "adam", 1e-3, 0.9, 0, 1);
  }

  public ExampleShape shape() {
    return network.shape();
  }

  public String updater() {
    return network.learning().updater().orElseThrow();
  }

  public double learningRate() {
    return network.learning().learningRate().orElseThrow();
  }

  public double momentum() {
    return network.learning().momentum().orElseThrow();
  }

  /** Returns the options that a job of Millrace is told of it. */
  public Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    options.put("input.topics", name);
    options.put("input.format", format);
    options.put("input.features", Integer.toString(shape().features()));
    options.put("input.outputs", Integer.toString(shape().outputs()));
    // Peers don't standardize.
    options.put("input.standardize", "off");
    options.put("batch.size", Integer.toString(batch));
    options.put("model.name", network.name());
    options.put("model.updater", updater());
    options.put("model.learning-rate", Double.toString(learningRate()));
    if (updater().equals("nesterovs")) {
      options.put("model.momentum", Double.toString(momentum()));
    }
    if (!network.hidden().isEmpty()) {
      options.put(
          "model.hidden",
          String.join(";", network.hidden().stream().map(String::valueOf).toList()));
    }
    return options;
  }
}
