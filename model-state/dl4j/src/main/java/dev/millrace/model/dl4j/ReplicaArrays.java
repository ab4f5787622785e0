package dev.millrace.model.dl4j;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A network's arrays: batches go in by them, and predictions come out.
 *
 * <p>Native memory is used again and again. Belongs to the network's thread.
 */
final class ReplicaArrays implements AutoCloseable {

  private final ExampleShape shape;
  private final Network network;
  private final List<ArrayFeed> features;
  private final List<ArrayFeed> labels;
  private final List<OutputRows> predictions;
  private final List<StepLoss> losses;
  private final InputGradients inputs;
  private final RowArray weights = new RowArray(1);
  private final StepMask mask = new StepMask();
  private float[] stepWeights = {};

  /**
   * @param network initialized; its losses are taken over
   */
  ReplicaArrays(Network network, ExampleShape shape) {
    this.shape = shape;
    this.network = network;
    List<ArrayPart> outputs = ArrayParts.ofOutputs(network, shape);
    this.features =
        ArrayParts.ofInputs(network, shape).stream()
            .map(part -> new ArrayFeed(part, shape.features(), shape.width()))
            .toList();
    this.labels =
        outputs.stream().map(part -> new ArrayFeed(part, shape.labels(), shape.outputs())).toList();
    this.predictions =
        outputs.stream()
            .map(part -> new OutputRows(part, shape.labels(), shape.outputs()))
            .toList();
    this.losses =
        IntStream.range(0, outputs.size())
            .mapToObj(
                i ->
                    observe(
                        network.outputLayer(network.outputs().get(i)).conf().getLayer(),
                        predictions.get(i)))
            .toList();
    this.inputs = new InputGradients(network, shape);
  }

  /**
   * One {@code fit} of the network.
   *
   * @param target receives predictions; what lies behind a sequence's end stays as it is
   */
  void fit(Minibatch minibatch, float[] target) {
    compute(minibatch, target, network::fit);
  }

  /**
   * One {@code fit} of the network that tells gradients of inputs.
   *
   * @param target as of {@link #fit(Minibatch, float[])}
   * @param inputGradients receives rows of features, means over the examples
   */
  void fit(Minibatch minibatch, float[] target, float[] inputGradients) {
    inputs.prepare(BatchRows.of(minibatch.stepsOrNull(), minibatch.size()), inputGradients);
    compute(
        minibatch,
        target,
        (features, labels, featureMasks, labelMasks) ->
            network.fit(features, labels, featureMasks, labelMasks, inputs));
    inputs.average();
  }

  /**
   * Computes the network's gradients, and makes no step.
   *
   * @param target as of {@link #fit(Minibatch, float[])}
   */
  void computeGradients(Minibatch minibatch, float[] target) {
    compute(minibatch, target, network::computeGradients);
  }

  private void compute(Minibatch minibatch, float[] target, Computation computation) {
    BatchRows batch = BatchRows.of(minibatch.stepsOrNull(), minibatch.size());
    INDArray column = weights(minibatch.weights(), batch);
    losses.forEach(loss -> loss.prepare(column, target, batch));
    INDArray steps = shape.structure().isSequence() ? mask.fill(batch) : null;
    computation.run(
        fill(features, minibatch.features(), batch),
        fill(labels, minibatch.labels(), batch),
        masks(features, steps),
        masks(labels, steps));
  }

  /** Returns what the inner layers give; of sequences nothing. */
  List<LayerActivations> activations(Minibatch minibatch) {
    if (shape.structure().isSequence()) {
      return List.of();
    }
    BatchRows batch = BatchRows.of(null, minibatch.size());
    List<LayerActivations> all = new ArrayList<>();
    network
        .activations(fill(features, minibatch.features(), batch))
        .forEach(
            (layer, rows) ->
                all.add(
                    new LayerActivations(
                        layer,
                        Math.toIntExact(rows.size(0)),
                        Math.toIntExact(rows.size(1)),
                        rows.dup('c').reshape(rows.length()).toFloatVector())));
    return all;
  }

  /**
   * @param target receives predictions; what lies behind a sequence's end stays as it is
   */
  void predict(float[] examples, BatchRows batch, float[] target) {
    INDArray[] input = fill(features, examples, batch);
    INDArray steps = shape.structure().isSequence() ? mask.fill(batch) : null;
    try (MemoryWorkspace scratch = Scratch.open()) {
      INDArray[] outputs = network.output(input, masks(features, steps), scratch);
      for (int i = 0; i < outputs.length; i++) {
        predictions.get(i).extract(outputs[i], batch, target);
      }
    }
  }

  private static INDArray[] fill(List<ArrayFeed> feeds, float[] source, BatchRows batch) {
    INDArray[] arrays = new INDArray[feeds.size()];
    for (int i = 0; i < arrays.length; i++) {
      arrays[i] = feeds.get(i).fill(source, batch);
    }
    return arrays;
  }

  /** Null where no array is of sequences. */
  private static INDArray[] masks(List<ArrayFeed> feeds, INDArray stepsOrNull) {
    if (stepsOrNull == null || feeds.stream().noneMatch(ArrayFeed::isSequence)) {
      return null;
    }
    INDArray[] masks = new INDArray[feeds.size()];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = feeds.get(i).isSequence() ? stepsOrNull : null;
    }
    return masks;
  }

  /** A weight a row of what losses see; null where all are 1. */
  private INDArray weights(float[] ofExamples, BatchRows batch) {
    int count = batch.count();
    if (allOne(ofExamples, count)) {
      return null;
    }
    if (!shape.structure().labelPerStep()) {
      return weights.fill(ofExamples, count);
    }
    int rows = count * batch.longest();
    if (stepWeights.length < rows) {
      stepWeights = new float[rows];
    }
    for (int from = 0; from < rows; from += count) {
      System.arraycopy(ofExamples, 0, stepWeights, from, count);
    }
    return weights.fill(stepWeights, rows);
  }

  private static boolean allOne(float[] weights, int rows) {
    for (int row = 0; row < rows; row++) {
      if (weights[row] != 1f) {
        return false;
      }
    }
    return true;
  }

  /** A computation of the network, with its arrays. */
  private interface Computation {

    void run(
        INDArray[] features,
        INDArray[] labels,
        INDArray[] featureMasksOrNull,
        INDArray[] labelMasksOrNull);
  }

  private static StepLoss observe(Layer layer, OutputRows output) {
    StepLoss observed;
    if (layer instanceof BaseOutputLayer last) {
      observed = new StepLoss(last.getLossFn(), output);
      last.setLossFn(observed);
    } else {
      LossLayer last = (LossLayer) layer;
      observed = new StepLoss(last.getLossFn(), output);
      last.setLossFn(observed);
    }
    return observed;
  }

  @Override
  public void close() {
    features.forEach(ArrayFeed::close);
    labels.forEach(ArrayFeed::close);
    predictions.forEach(OutputRows::close);
    inputs.close();
    weights.close();
    mask.close();
  }
}
