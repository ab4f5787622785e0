package dev.millrace.dl4j.evaluate;

import java.lang.reflect.Field;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.EvaluationCalibration;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Adds what one worker found to what others found. DL4J's own merging leaves out sums that R²
 * needs, and the counts of calibrations; they are added here.
 */
final class Merging {

  private Merging() {}

  /** Adds an evaluation to another of the same kind. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // Both are copies of one.
  static void merge(IEvaluation into, IEvaluation<?> part) {
    if (into instanceof RegressionEvaluation numbers) {
      INDArray sums = sum(numbers.getSumLabels(), ((RegressionEvaluation) part).getSumLabels());
      into.merge(part);
      numbers.setSumLabels(sums);
    } else if (into instanceof EvaluationCalibration calibration) {
      addCounts(calibration, (EvaluationCalibration) part);
    } else {
      into.merge(part);
    }
  }

  /** All arrays of a calibration are counts and sums, which have no setters. */
  private static void addCounts(EvaluationCalibration into, EvaluationCalibration part) {
    try {
      for (Field field : EvaluationCalibration.class.getDeclaredFields()) {
        if (field.getType() == INDArray.class) {
          field.setAccessible(true);
          field.set(into, sum((INDArray) field.get(into), (INDArray) field.get(part)));
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Calibrations can't be merged: " + e.getMessage(), e);
    }
  }

  private static INDArray sum(INDArray one, INDArray other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.add(other);
  }
}
