package dev.millrace.job.score;

import dev.millrace.job.follow.CompletedExamples;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.UnusableRows;
import dev.millrace.model.device.DeviceRequest;
import java.util.SortedMap;

/**
 * The network that predicts, and what its model knows of features: both are of one version, which
 * changes between two calls of {@link #predict} alone.
 *
 * <p>Belongs to one thread, which makes it, too.
 */
final class ServingReplica implements AutoCloseable {

  private final DeviceRequest device;
  private ServedModel model;
  private CompletedExamples examples;
  private ModelReplica replica;

  ServingReplica(DeviceRequest device) {
    this.device = device;
  }

  /**
   * Predicts with this model from now on. Where it is the same network as before, its parameters
   * are copied in, and nothing is built.
   */
  void serve(ServedModel newest) {
    // It may throw: all stays as it is then.
    CompletedExamples completed = newest.completed();
    if (replica == null || !replica.spec().equals(newest.spec())) {
      ModelReplica built = built(newest);
      if (replica != null) {
        replica.close();
      }
      replica = built;
    } else {
      replica.write(0, newest.parameters(), 0, newest.parameters().length);
    }
    model = newest;
    examples = completed;
  }

  private ModelReplica built(ServedModel newest) {
    ModelReplica built = ModelEngine.named(newest.spec().engine()).build(newest.spec(), device);
    try {
      built.write(0, newest.parameters(), 0, newest.parameters().length);
      return built;
    } catch (RuntimeException | Error e) {
      built.close();
      throw e;
    }
  }

  /** The version that predicts; null before the first. */
  ModelVersion version() {
    return model == null ? null : model.version();
  }

  /**
   * Completes the features of the first {@code rows} examples, in place, and predicts for them.
   *
   * @param features rows of the shape's features
   * @param words rows of the shape's words, null for a missing one
   * @param ids rows of the shape's ids
   * @param stepsOrNull of each row's sequence; null where examples are none
   * @param outputs receives rows of the shape's labels
   * @return for each row that the model can't compute with why it can't, mostly none; the outputs
   *     of the others are there all the same
   * @throws IllegalStateException if there is no model yet
   */
  SortedMap<Integer, String> predict(
      float[] features, String[] words, IdLists ids, int[] stepsOrNull, int rows, float[] outputs) {
    if (model == null) {
      throw new IllegalStateException("There are examples, and no model to predict with");
    }
    examples.complete(features, words, ids, stepsOrNull, rows);
    return UnusableRows.predict(replica, features, stepsOrNull, rows, outputs);
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
      replica = null;
      model = null;
    }
  }
}
