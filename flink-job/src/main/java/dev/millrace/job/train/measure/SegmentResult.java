package dev.millrace.job.train.measure;

import dev.millrace.model.Measures;
import dev.millrace.model.shape.Target;

/**
 * What a model did on one segment.
 *
 * @param measures of the examples that are kept of it
 */
record SegmentResult(long segment, Measures measures) {

  /** Higher is better: the accuracy, or for regression the mean loss below zero. */
  double score(Target target) {
    return target == Target.REGRESSION ? -measures.meanLoss() : measures.accuracy();
  }
}
