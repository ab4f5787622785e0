package dev.millrace.benchmark.continual;

import dev.millrace.benchmark.figure.ArchiveAccuracy;
import dev.millrace.example.Example;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Experience replay with a small memory (Chaudhry et al. 2019): each step learns so many fresh
 * examples, and as many of a reservoir. By the same engine as jobs, and nothing else of Millrace.
 */
final class ReplayLoop {

  /** The partition of all examples: nobody asks. */
  private static final Partition PARTITION = new Partition("examples", 0);

  private static final int STEP = 10;
  private static final double RATE = 0.01;

  private final List<Example> stream;
  private final List<Example> holdOut;
  private final int size;
  private final Random random = new Random(1);
  private final List<Example> memory = new ArrayList<>();
  private long seen;

  /**
   * @param size examples of the reservoir
   */
  ReplayLoop(List<Example> stream, List<Example> holdOut, int size) {
    this.stream = stream;
    this.holdOut = holdOut;
    this.size = size;
  }

  /** Returns the accuracy after one pass, over the hold-out set. */
  double accuracy() {
    ModelEngine engine = ModelEngine.named("dl4j");
    InitialModel model =
        engine.define(
            new BuiltIn(
                "mlp", stream.get(0).shape(), List.of(64), List.of(), "sgd", RATE, 0, 0, 1));
    try (ModelReplica replica = engine.build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      float[] predictions = new float[2 * STEP * stream.get(0).shape().outputs()];
      Minibatch minibatch = new Minibatch(stream.get(0).shape(), 2 * STEP);
      for (int from = 0; from + STEP <= stream.size(); from += STEP) {
        minibatch.clear();
        List<Example> fresh = stream.subList(from, from + STEP);
        fresh.forEach(example -> add(minibatch, example));
        for (int i = 0; i < STEP && !memory.isEmpty(); i++) {
          add(minibatch, memory.get(random.nextInt(memory.size())));
        }
        replica.fit(minibatch, predictions);
        fresh.forEach(this::keep);
      }
      return ArchiveAccuracy.of(replica, holdOut);
    }
  }

  private static void add(Minibatch minibatch, Example example) {
    minibatch.add(example.features(), example.labels(), 1, PARTITION, 0);
  }

  private void keep(Example example) {
    seen++;
    if (memory.size() < size) {
      memory.add(example);
    } else {
      long place = (long) (random.nextDouble() * seen);
      if (place < size) {
        memory.set((int) place, example);
      }
    }
  }
}
