package dev.millrace.benchmark.replica;

import dev.millrace.benchmark.peer.Examples;
import dev.millrace.benchmark.peer.Learner;
import dev.millrace.benchmark.peer.Rounds;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A replica that learns, and predicts each example before, as in a job. */
final class ReplicaLearner implements Learner {

  private static final Partition PARTITION = new Partition("examples", 0);

  private final ModelReplica replica;
  private final List<Minibatch> minibatches = new ArrayList<>();
  private final float[] predictions;
  private int next;

  /** Must be made on the thread that learns. */
  ReplicaLearner(ModelEngine engine, InitialModel model, Examples examples) {
    replica = engine.build(model.spec(), DeviceRequest.any());
    replica.write(0, model.vector(), 0, model.vector().length);
    for (int i = 0; i < examples.shape().minibatches(); i++) {
      minibatches.add(minibatch(model, examples, i));
    }
    predictions = new float[examples.shape().batch() * examples.shape().outputs()];
  }

  private static Minibatch minibatch(InitialModel model, Examples examples, int number) {
    int batch = examples.shape().batch();
    int features = examples.shape().features();
    int outputs = examples.shape().outputs();
    Minibatch minibatch = new Minibatch(model.spec().shape(), batch);
    for (int row = number * batch; row < (number + 1) * batch; row++) {
      minibatch.add(
          Arrays.copyOfRange(examples.features(), row * features, (row + 1) * features),
          Arrays.copyOfRange(examples.labels(), row * outputs, (row + 1) * outputs),
          1,
          PARTITION,
          row);
    }
    return minibatch;
  }

  @Override
  public void learn(Rounds rounds) {
    for (long learned = 0; rounds.goOn(learned); learned += minibatches.get(0).size()) {
      replica.fit(minibatches.get(next), predictions);
      next = (next + 1) % minibatches.size();
    }
  }

  @Override
  public void close() {
    replica.close();
  }
}
