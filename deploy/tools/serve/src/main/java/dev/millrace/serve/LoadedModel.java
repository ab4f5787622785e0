package dev.millrace.serve;

import dev.millrace.job.follow.CompletedExamples;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A replica that predicts with one model after another of the same network, or a runtime that does
 * in its place, and the arrays of batches.
 *
 * <p>Belongs to one thread, which makes it, too.
 */
final class LoadedModel implements AutoCloseable {

  /** Null where a runtime predicts. */
  private final ModelReplica replicaOrNull;

  private final ExampleShape shape;
  private final int maxBatch;
  private float[] features = new float[0];
  private String[] words = new String[0];
  private final IdLists ids;
  private int[] steps = new int[0];
  private float[] outputs = new float[0];

  /**
   * None's before the first, and where the replica's parameters are none's. Weak: a predictor that
   * has nothing to do keeps no model in memory that isn't served any more.
   */
  private WeakReference<PredictingModel> model = new WeakReference<>(null);

  /** Null where the replica predicts. */
  private RuntimeModel runtimeOrNull;

  private CompletedExamples examples;

  private LoadedModel(ModelReplica replicaOrNull, ExampleShape shape, int maxBatch) {
    this.replicaOrNull = replicaOrNull;
    this.shape = shape;
    this.maxBatch = maxBatch;
    this.ids = new IdLists(shape.columns().ids().size());
  }

  /** Builds a replica. */
  static LoadedModel ofEngine(ModelSpec spec, DeviceRequest device, int maxBatch) {
    return new LoadedModel(
        ModelEngine.named(spec.engine()).build(spec, device), spec.shape(), maxBatch);
  }

  /** Returns what predicts with models that have a runtime. */
  static LoadedModel ofRuntime(ExampleShape shape, int maxBatch) {
    return new LoadedModel(null, shape, maxBatch);
  }

  /** Whether it can predict with a model. */
  boolean takes(PredictingModel other) {
    ServedModel served = other.model();
    return other.runtimeOrNull() == null
        ? replicaOrNull != null && replicaOrNull.spec().equals(served.spec())
        : replicaOrNull == null && shape.equals(served.spec().shape());
  }

  /** Predicts with this model from now on: one bulk copy of its parameters at most. */
  void load(PredictingModel newest) {
    if (!newest.equals(model.get())) {
      ServedModel served = newest.model();
      model.clear();
      if (replicaOrNull != null) {
        replicaOrNull.write(0, served.parameters(), 0, served.parameters().length);
      }
      examples = served.completed();
      runtimeOrNull = newest.runtimeOrNull();
      model = new WeakReference<>(newest);
    }
  }

  /**
   * Predicts for several requests at once.
   *
   * @return for each request rows of {@code shape.labels()}
   * @throws dev.millrace.model.UnusableExamplesException if the model can't compute with one of
   *     them
   */
  List<float[]> predict(List<InferRequest> requests) {
    if (requests.size() == 1) {
      return List.of(predict(requests.get(0)));
    }
    reserve(requests.stream().mapToInt(InferRequest::rows).sum());
    int rows = 0;
    for (InferRequest request : requests) {
      copy(request, 0, request.rows(), rows);
      rows += request.rows();
    }
    compute(rows);
    List<float[]> all = new ArrayList<>(requests.size());
    int at = 0;
    for (InferRequest request : requests) {
      int length = request.rows() * shape.labels();
      all.add(Arrays.copyOfRange(outputs, at, at + length));
      at += length;
    }
    return all;
  }

  /** A request with more rows than a batch has is predicted batch by batch. */
  private float[] predict(InferRequest request) {
    float[] all = new float[request.rows() * shape.labels()];
    reserve(Math.min(maxBatch, request.rows()));
    for (int from = 0; from < request.rows(); from += maxBatch) {
      int rows = Math.min(maxBatch, request.rows() - from);
      ids.clear();
      copy(request, from, rows, 0);
      compute(rows);
      System.arraycopy(outputs, 0, all, from * shape.labels(), rows * shape.labels());
    }
    return all;
  }

  private void reserve(int rows) {
    ids.clear();
    if (features.length < rows * shape.features()) {
      features = new float[rows * shape.features()];
      words = new String[rows * shape.words()];
      steps = new int[rows];
      outputs = new float[rows * shape.labels()];
    }
  }

  /** The request's own arrays stay as they are: completing features changes these here. */
  private void copy(InferRequest request, int from, int rows, int at) {
    int width = shape.features();
    System.arraycopy(request.features(), from * width, features, at * width, rows * width);
    System.arraycopy(
        request.words(), from * shape.words(), words, at * shape.words(), rows * shape.words());
    for (int row = from; row < from + rows; row++) {
      ids.addRow(request.ids(), row);
    }
    Arrays.fill(steps, at, at + rows, request.steps());
  }

  private void compute(int rows) {
    int[] stepsOrNull = shape.structure().isSequence() ? steps : null;
    examples.complete(features, words, ids, stepsOrNull, rows);
    if (replicaOrNull == null) {
      runtimeOrNull.predict(features, stepsOrNull, rows, outputs);
    } else {
      replicaOrNull.predict(features, stepsOrNull, rows, outputs);
    }
  }

  @Override
  public void close() {
    if (replicaOrNull != null) {
      replicaOrNull.close();
    }
  }
}
