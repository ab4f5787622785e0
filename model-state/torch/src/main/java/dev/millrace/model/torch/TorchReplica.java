package dev.millrace.model.torch;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceUse;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * A TorchScript module as a replica, whose vector is zero until it is written. On the CPU the same
 * calls give the same bits in any process, also where the network has dropout. Where it has running
 * statistics, a minibatch of one row is computed as two equal ones, and leaves them as they are:
 * one has no variance.
 *
 * <p>No native memory is left behind by a step: each one's tensors are freed with it.
 */
final class TorchReplica implements ModelReplica {

  private final ModelSpec spec;
  private final TorchDevice device;
  private final Network network;
  private final FlatTensors tensors;
  private final Updater updater;
  private final StepLoss loss;
  private final RowInput features;
  private final RowInput labels;
  private final RowInput weights;
  private final RowOutput predictions;
  private final InputGradient ofInput;
  private Steps steps = Steps.NONE;
  private boolean closed;

  /**
   * @param device on which it is; the replica closes it
   */
  TorchReplica(ModelSpec spec, TorchConfiguration configuration, TorchDevice device) {
    this.spec = spec;
    this.device = device;
    device.enter();
    Libtorch.runScriptsAsTheyAre();
    this.network = new Network(configuration, spec, device);
    this.tensors = new FlatTensors(network.module(), configuration, device, spec.frozen());
    this.updater = new Updater(configuration.training(), tensors);
    this.loss = new StepLoss(configuration.training().loss(), spec.shape().target());
    this.features = device.input(spec.shape().features());
    this.labels = device.input(spec.shape().outputs());
    this.weights = device.input(1);
    this.predictions = device.output();
    this.ofInput = new InputGradient(device);
  }

  /**
   * Tries it, before anything is written.
   *
   * @throws InvalidModelException if it can't compute on its device and in its precision
   */
  void verify(Precision precision) {
    network.requireNoIdsOnCuda();
    ReplicaTrial.verify(this, network.module(), tensors.vector(), precision);
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  @Override
  public void setRandomStream(long stream) {
    network.random().setStream(stream);
  }

  @Override
  public void fit(Minibatch minibatch, float[] target) {
    check(minibatch);
    requireRoom(target.length, minibatch.size(), spec.shape().outputs(), "predictions");
    compute(
        minibatch,
        null,
        outputs -> predictions.take(loss.predictions(outputs)),
        this::update,
        () -> predictions.give(target));
  }

  @Override
  public void fit(Minibatch minibatch, float[] target, float[] inputGradients) {
    check(minibatch);
    int rows = minibatch.size();
    requireRoom(target.length, rows, spec.shape().outputs(), "predictions");
    requireRoom(inputGradients.length, rows, spec.shape().features(), "gradients of inputs");
    network.requireInputGradients();
    compute(
        minibatch,
        ofInput,
        outputs -> predictions.take(loss.predictions(outputs)),
        this::update,
        () -> {
          predictions.give(target);
          ofInput.give(inputGradients);
        });
  }

  private void update() {
    tensors.saveFrozen();
    updater.step(steps);
    tensors.restoreFrozen();
    steps = new Steps(steps.iteration() + 1, steps.ofUpdater() + 1);
  }

  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    check(minibatch);
    requireRoom(target.length, 1, spec.parameters(), "gradients");
    compute(
        minibatch,
        null,
        outputs -> {},
        tensors::restoreBuffers,
        () -> {
          Arrays.fill(target, 0, spec.parameters(), 0f);
          tensors.readGradients(target);
        });
  }

  private void check(Minibatch minibatch) {
    enter();
    if (!minibatch.shape().equals(spec.shape())) {
      throw new IllegalArgumentException(
          "The model takes %s, and the minibatch has %s"
              .formatted(spec.shape(), minibatch.shape()));
    }
    if (minibatch.isEmpty()) {
      throw new IllegalArgumentException("A step needs at least one example");
    }
  }

  /**
   * Computes the gradients of the minibatch's loss.
   *
   * @param ofInputOrNull takes the gradient of the input, where somebody asks for it
   * @param forward takes the network's outputs for the rows
   * @param backward is run with the gradients
   * @param computed is run once the device has been told of all that
   */
  private void compute(
      Minibatch minibatch,
      InputGradient ofInputOrNull,
      Consumer<Tensor> forward,
      Runnable backward,
      Runnable computed) {
    ExampleShape shape = spec.shape();
    int rows = minibatch.size();
    int copies = rows == 1 && tensors.hasBuffers() ? 2 : 1;
    try (PointerScope scope = new PointerScope()) {
      Tensor input = put(features, minibatch.features(), rows, shape.features(), copies);
      Tensor expected = put(labels, minibatch.labels(), rows, shape.outputs(), copies);
      Tensor weightsOrNull =
          allOne(minibatch.weights(), rows)
              ? null
              : put(weights, minibatch.weights(), rows, 1, copies);
      tensors.saveBuffers();
      device.computing();
      try {
        Tensor given = ofInputOrNull == null ? input : ofInputOrNull.watched(input);
        Tensor outputs = network.train(given, steps);
        Tensor values = outputs.detach();
        forward.accept(copies == 1 ? values : values.narrow(0, 0, rows));
        Tensor mean = loss.of(outputs, expected, weightsOrNull);
        tensors.gradients().zero_();
        mean.backward();
        if (ofInputOrNull != null) {
          ofInputOrNull.take(copies);
        }
        backward.run();
        if (copies > 1) {
          // Two equal rows have no variance to learn.
          tensors.restoreBuffers();
        }
      } catch (RuntimeException e) {
        tensors.restoreBuffers();
        throw LibtorchErrors.ofExamples(e);
      } finally {
        features.used();
        labels.used();
        if (weightsOrNull != null) {
          weights.used();
        }
        device.computed();
      }
      computed.run();
    }
  }

  @Override
  public List<LayerActivations> activations(Minibatch minibatch) {
    enter();
    if (minibatch.isEmpty()) {
      return List.of();
    }
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor input = features.put(minibatch.features(), minibatch.size());
      List<LayerActivations> layers = DenseActivations.of(network, input, predictions);
      features.used();
      return layers;
    } catch (RuntimeException e) {
      throw LibtorchErrors.ofExamples(e);
    }
  }

  @Override
  public void predict(float[] examples, int rows, float[] target) {
    enter();
    requireRoom(examples.length, rows, spec.shape().features(), "features");
    requireRoom(target.length, rows, spec.shape().outputs(), "predictions");
    if (rows == 0) {
      return;
    }
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor input = features.put(examples, rows);
      try {
        predictions.take(loss.predictions(network.infer(input)));
      } catch (RuntimeException e) {
        throw LibtorchErrors.ofExamples(e);
      } finally {
        features.used();
      }
      predictions.give(target);
    }
  }

  @Override
  public void read(int from, float[] target, int offset, int length) {
    enter();
    tensors.vector().read(from, target, offset, length);
  }

  @Override
  public void write(int from, float[] source, int offset, int length) {
    enter();
    tensors.vector().write(from, source, offset, length);
  }

  @Override
  public Steps steps() {
    return steps;
  }

  @Override
  public void setSteps(Steps made) {
    steps = made;
  }

  @Override
  public void scaleLearningRates(double proportional, double adaptive) {
    updater.scale(proportional, adaptive);
  }

  @Override
  public DeviceUse deviceUse() {
    return device.use();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        device.enter();
        features.close();
        labels.close();
        weights.close();
        predictions.close();
        ofInput.close();
        updater.close();
        tensors.close();
        network.close();
      } finally {
        device.close();
      }
    }
  }

  /** Freed memory is never read: the JVM would not survive it. */
  private void enter() {
    if (closed) {
      throw new IllegalStateException("The replica is closed");
    }
    device.enter();
    Libtorch.runScriptsAsTheyAre();
  }

  private static Tensor put(RowInput input, float[] values, int rows, int width, int copies) {
    if (copies == 1) {
      return input.put(values, rows);
    }
    float[] repeated = new float[copies * rows * width];
    for (int copy = 0; copy < copies; copy++) {
      System.arraycopy(values, 0, repeated, copy * rows * width, rows * width);
    }
    return input.put(repeated, copies * rows);
  }

  private static void requireRoom(int length, int rows, int width, String what) {
    if (rows < 0 || length < (long) rows * width) {
      throw new IllegalArgumentException(
          "%s rows of %s %s don't fit into an array of %s".formatted(rows, width, what, length));
    }
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
