package dev.millrace.job.serve;

import java.util.Locale;

/** Names what predicts with the served models. */
public enum PredictionRuntime {
  /**
   * ONNX Runtime with each model that it can predict with as the engine does, where it is there.
   */
  AUTO,
  /** The engine of each model. */
  ENGINE,
  /** ONNX Runtime; a model that it can't predict with is refused. */
  ONNX;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
