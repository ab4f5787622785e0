package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IdColumn.Pooling;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Replicas;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CPU time of a step that tells gradients of rows: 26 fields of ids with rows of 16 values, hidden
 * layers of 128 and 64, two classes, 256 examples. With {@code OMP_NUM_THREADS=1} all of it is of
 * one thread.
 */
class RowNetworksBenchmark {

  private static final int FIELDS = 26;
  private static final int VALUES = 16;
  private static final int EXAMPLES = 256;
  private static final int STEPS = 100;
  private static final int TURNS = 9;

  @ParameterizedTest
  @CsvSource({
    "torch, mlp", "torch, deepfm", "torch, wide-deep", "torch, dcn", "torch, two-tower",
    "dl4j, mlp", "dl4j, deepfm", "dl4j, wide-deep", "dl4j, dcn", "dl4j, two-tower"
  })
  void step(String engine, String network) {
    for (int numbers : new int[] {0, 13}) {
      double[] times = times(engine, network, shape(numbers, network.equals("two-tower")));
      Arrays.sort(times);
      System.out.printf(
          "%s, %s, %s numbers: %.2f ms, from %.2f to %.2f%n",
          engine, network, numbers, times[TURNS / 2], times[0], times[TURNS - 1]);
      assertThat(times[0]).isPositive();
    }
  }

  /** Returns milliseconds a step of some turns, of which the first isn't told. */
  private static double[] times(String engine, String network, ExampleShape shape) {
    ModelEngine own = ModelEngine.named(engine);
    InitialModel model =
        own.define(
            new BuiltIn(network, shape, List.of(128, 64), List.of(), "adam", 0.001, 0.9, 0, 1));
    Minibatch minibatch = Replicas.examples(shape, EXAMPLES, new Random(1));
    float[] predictions = new float[EXAMPLES * shape.outputs()];
    float[] gradients = new float[EXAMPLES * shape.features()];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] times = new double[TURNS];
    try (ModelReplica replica = Replicas.of(own, model)) {
      for (int turn = -3; turn < TURNS; turn++) {
        long before = threads.getCurrentThreadCpuTime();
        for (int step = 0; step < STEPS; step++) {
          replica.fit(minibatch, predictions, gradients);
        }
        if (turn >= 0) {
          times[turn] = (threads.getCurrentThreadCpuTime() - before) / 1e6 / STEPS;
        }
      }
    }
    return times;
  }

  /** The first of two inputs takes the numbers and half of the rows. */
  private static ExampleShape shape(int numbers, boolean towers) {
    List<IdColumn> ids = new ArrayList<>();
    for (int field = 0; field < FIELDS; field++) {
      int from = numbers + field * VALUES;
      ids.add(
          new IdColumn(
              "id" + field, "table" + field, new IndexRange(from, from + VALUES), Pooling.SUM));
    }
    int features = numbers + FIELDS * VALUES;
    int half = numbers + FIELDS / 2 * VALUES;
    List<Input> inputs =
        List.of(
            new Input("user", new IndexRange(0, half)),
            new Input("item", new IndexRange(half, features)));
    return new ExampleShape(
        features,
        2,
        Target.CLASSIFICATION,
        new FeatureColumns("{\"fields\":[]}", List.of(), List.of(), ids),
        towers ? new ExampleStructure(0, false, inputs, List.of()) : ExampleStructure.FLAT);
  }
}
