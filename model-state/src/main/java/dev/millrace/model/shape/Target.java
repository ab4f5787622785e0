package dev.millrace.model.shape;

import java.util.Locale;

/** The task: what the labels of an example stand for. */
public enum Target {
  /** One class of {@code outputs}: labels are one-hot, predictions are class probabilities. */
  CLASSIFICATION,
  /**
   * Any subset of {@code outputs} classes: labels and predictions lie in [0, 1], each on its own.
   */
  MULTI_LABEL,
  /** {@code outputs} real numbers. */
  REGRESSION;

  /** Returns the name as options and descriptions write it: {@code multi-label}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
