package dev.millrace.model.dl4j;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.device.DeviceLease;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.deeplearning4j.exception.DL4JException;
import org.deeplearning4j.nn.conf.BackpropType;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A DL4J network as a replica. A step is bit-equal to DL4J's own {@code fit} of the same rows, as
 * long as all weights are 1; other weights multiply the gradients of their examples, whose sum is
 * still divided by the number of examples.
 */
final class Dl4jReplica implements ModelReplica {

  private final ModelSpec spec;
  private final Network network;
  private final DeviceLease device;
  private final FlatVector vector;
  private final ReplicaArrays arrays;
  private final LearningRates rates;
  private final boolean segmented;
  private final NativeFloats gradients;
  private final FrozenValues frozen;
  private final Optional<String> fixedInputs;
  private float[] before = {};
  private float[] unused = {};
  private boolean closed;

  /**
   * @param network initialized, on this thread; the replica closes it
   * @param device on which it is; the replica closes it
   */
  Dl4jReplica(ModelSpec spec, Network network, DeviceLease device) {
    this.spec = spec;
    this.network = network;
    this.device = device;
    this.vector = new FlatVector(network.parameters(), network.updaterState());
    this.gradients = new NativeFloats(network.gradients());
    this.arrays = new ReplicaArrays(network, spec.shape());
    this.rates = new LearningRates(network);
    FrozenLayers.unpenalize(network.updaterBlocks());
    this.segmented = network.backpropagation() == BackpropType.TruncatedBPTT;
    this.frozen = new FrozenValues(vector, spec.frozen().parameters(), Resizing.state(network));
    this.fixedInputs = FixedInputs.reason(spec, network);
    if (!segmented) {
      // In segments a layer's state goes from one to the next, which DL4J's wrappers lose.
      network.freeze(Set.copyOf(spec.frozen().layers()));
    }
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  @Override
  public void fit(Minibatch minibatch, float[] target) {
    step(
        minibatch,
        target,
        () -> {
          if (segmented) {
            fitSegments(minibatch, target);
          } else {
            arrays.fit(minibatch, target);
          }
        });
  }

  @Override
  public void fit(Minibatch minibatch, float[] target, float[] inputGradients) {
    checkOpen();
    if (fixedInputs.isPresent()) {
      throw new UnsupportedOperationException(
          "The engine dl4j can't give gradients of this network's inputs: " + fixedInputs.get());
    }
    step(minibatch, target, () -> arrays.fit(minibatch, target, inputGradients));
  }

  private void step(Minibatch minibatch, float[] target, Runnable fit) {
    checkOpen();
    if (minibatch.isEmpty()) {
      throw new IllegalArgumentException("A step needs at least one example");
    }
    clear(target, minibatch.size());
    frozen.save();
    try {
      fit.run();
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
    } finally {
      frozen.restore();
    }
  }

  /**
   * Fits a sequence in segments: by truncated backpropagation through time the updater makes a step
   * for each of them. All of them are one step of the model, which is counted by examples.
   */
  private void fitSegments(Minibatch minibatch, float[] target) {
    int iteration = network.iteration();
    if (before.length == 0) {
      before = new float[spec.vectorLength()];
    }
    vector.read(0, before, 0, before.length);
    try {
      arrays.fit(minibatch, target);
    } catch (DL4JException e) {
      // A later segment may fail where an earlier one was learned from.
      vector.write(0, before, 0, before.length);
      network.setIteration(iteration);
      throw new UnusableExamplesException(e.getMessage(), e);
    }
    rates.setAhead(rates.ahead() - (network.iteration() - iteration - 1));
  }

  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    checkOpen();
    if (segmented || gradients.length() != spec.parameters()) {
      ModelReplica.super.gradient(minibatch, target);
    }
    if (minibatch.isEmpty()) {
      throw new IllegalArgumentException("A gradient needs at least one example");
    }
    int labels = minibatch.capacity() * spec.shape().labels();
    if (unused.length < labels) {
      unused = new float[labels];
    }
    try {
      arrays.computeGradients(minibatch, unused);
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
    }
    gradients.read(0, target, 0, spec.parameters());
    for (int i = 0; i < spec.parameters(); i++) {
      target[i] /= minibatch.size();
    }
    // Batch normalization has their changes among the gradients.
    Stream.of(spec.runningStatistics(), spec.frozen().parameters())
        .flatMap(List::stream)
        .forEach(range -> Arrays.fill(target, range.from(), range.to(), 0f));
  }

  @Override
  public List<LayerActivations> activations(Minibatch minibatch) {
    checkOpen();
    try {
      return arrays.activations(minibatch);
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
    }
  }

  @Override
  public void predict(float[] examples, int rows, float[] target) {
    int[] steps = null;
    if (spec.shape().structure().isSequence()) {
      steps = new int[rows];
      Arrays.fill(steps, spec.shape().rows());
    }
    predict(examples, steps, rows, target);
  }

  @Override
  public void predict(float[] examples, int[] stepsOrNull, int rows, float[] target) {
    checkOpen();
    if (rows == 0) {
      return;
    }
    clear(target, rows);
    boolean sequences = spec.shape().structure().isSequence();
    try {
      arrays.predict(examples, BatchRows.of(sequences ? stepsOrNull : null, rows), target);
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
    }
  }

  /** Clears the predictions of steps that aren't there: nobody predicts anything of them. */
  private void clear(float[] target, int rows) {
    if (spec.shape().structure().labelPerStep()) {
      Arrays.fill(target, 0, rows * spec.shape().labels(), 0f);
    }
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    checkOpen();
    vector.read(from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    checkOpen();
    vector.write(from, source, offset, length);
  }

  @Override
  public Steps steps() {
    return new Steps(network.iteration() + rates.ahead(), network.iteration());
  }

  /**
   * @throws ArithmeticException above 2<sup>31</sup> − 1, where DL4J's count ends
   */
  @Override
  public void setSteps(Steps steps) {
    // DL4J has one count for both. Its own is the updater's, and schedules are ahead of that, or
    // behind.
    network.setIteration(Math.toIntExact(steps.ofUpdater()));
    rates.setAhead(Math.toIntExact(steps.iteration() - steps.ofUpdater()));
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    rates.scale(proportional, adaptive);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        arrays.close();
        network.close();
        // Each thread that has computed has some, which its end alone doesn't free.
        Nd4j.getWorkspaceManager().destroyAllWorkspacesForCurrentThread();
      } finally {
        device.close();
      }
    }
  }

  /** Freed memory is never read: the JVM would not survive it. */
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("The replica is closed");
    }
  }
}
