package dev.millrace.model.dl4j;

import dev.millrace.model.DeviceLease;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import org.deeplearning4j.exception.DL4JException;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
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
  private final StepLoss loss;
  private final RowArray features;
  private final RowArray labels;
  private final RowArray weights = new RowArray(1);
  private final RowArray predictions;
  private final LearningRates rates;
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
    this.features = new RowArray(InputRows.shape(network, spec.shape()));
    this.labels = new RowArray(spec.shape().outputs());
    this.predictions = new RowArray(spec.shape().outputs());
    this.rates = new LearningRates(network);
    this.loss = observe(network.outputLayer().conf().getLayer(), predictions);
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  @Override
  public void fit(Minibatch minibatch, float[] target) {
    checkOpen();
    int rows = minibatch.size();
    if (rows == 0) {
      throw new IllegalArgumentException("A step needs at least one example");
    }
    loss.prepare(
        allOne(minibatch.weights(), rows) ? null : weights.fill(minibatch.weights(), rows),
        target,
        rows);
    INDArray input = features.fill(minibatch.features(), rows);
    INDArray expected = labels.fill(minibatch.labels(), rows);
    try {
      network.fit(input, expected);
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
    }
  }

  @Override
  public void predict(float[] examples, int rows, float[] target) {
    checkOpen();
    if (rows == 0) {
      return;
    }
    INDArray input = features.fill(examples, rows);
    try (MemoryWorkspace scratch = Scratch.open()) {
      predictions.extract(network.output(input, scratch), target, rows);
    } catch (DL4JException e) {
      throw new UnusableExamplesException(e.getMessage(), e);
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
        features.close();
        labels.close();
        weights.close();
        predictions.close();
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

  private static StepLoss observe(Layer layer, RowArray rowMajor) {
    StepLoss observed;
    if (layer instanceof BaseOutputLayer output) {
      observed = new StepLoss(output.getLossFn(), rowMajor);
      output.setLossFn(observed);
    } else {
      LossLayer output = (LossLayer) layer;
      observed = new StepLoss(output.getLossFn(), rowMajor);
      output.setLossFn(observed);
    }
    return observed;
  }

  private static boolean allOne(float[] weights, int rows) {
    for (int row = 0; row < rows; row++) {
      if (weights[row] != 1f) {
        return false;
      }
    }
    return true;
  }
}
