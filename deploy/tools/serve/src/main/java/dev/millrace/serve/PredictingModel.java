package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.RuntimeModel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A served model, and who predicts with it: the replica of its engine that each predictor has, or a
 * runtime that they share. What the runtime has of it is freed when the model is retired and nobody
 * predicts with it any more.
 *
 * <p>Thread-safe.
 */
final class PredictingModel {

  private final ServedModel model;
  private final RuntimeModel runtimeOrNull;

  /** Counts those that predict with it now, and one more until it is retired. */
  private final AtomicInteger uses = new AtomicInteger(1);

  private PredictingModel(ServedModel model, RuntimeModel runtimeOrNull) {
    this.model = model;
    this.runtimeOrNull = runtimeOrNull;
  }

  /** A model that its engine predicts with. */
  static PredictingModel ofEngine(ServedModel model) {
    return new PredictingModel(model, null);
  }

  /** A model that a runtime predicts with, which is closed when the model is. */
  static PredictingModel ofRuntime(ServedModel model, RuntimeModel runtime) {
    return new PredictingModel(model, runtime);
  }

  ServedModel model() {
    return model;
  }

  /** Null where its engine predicts. */
  RuntimeModel runtimeOrNull() {
    return runtimeOrNull;
  }

  /** Whether a replica that predicts with another model can predict with this one, too. */
  boolean sharesReplica(PredictingModel other) {
    return runtimeOrNull == null
        && other.runtimeOrNull == null
        && model.spec().equals(other.model.spec());
  }

  /**
   * Begins to predict; {@link #end} is to follow.
   *
   * @return false if it is retired: another one is served then
   */
  boolean begin() {
    return uses.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
  }

  /** Ends what {@link #begin} has begun. */
  void end() {
    if (uses.decrementAndGet() == 0 && runtimeOrNull != null) {
      runtimeOrNull.close();
    }
  }

  /** Has nobody begin with it any more. Called once. */
  void retire() {
    end();
  }
}
