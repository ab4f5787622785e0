package dev.millrace.dl4j.spark;

import org.nd4j.evaluation.IEvaluation;

/** What a network is measured by, of the classes that programs of DL4J know. */
@SuppressWarnings("deprecation") // Programs may still import these; they extend the newer ones.
final class Measures {

  private Measures() {}

  static IEvaluation<?> classes() {
    return new org.deeplearning4j.eval.Evaluation();
  }

  static IEvaluation<?> regression() {
    return new org.deeplearning4j.eval.RegressionEvaluation();
  }

  static IEvaluation<?> roc(int thresholdSteps) {
    return new org.deeplearning4j.eval.ROC(thresholdSteps);
  }

  static IEvaluation<?> rocOfClasses(int thresholdSteps) {
    return new org.deeplearning4j.eval.ROCMultiClass(thresholdSteps);
  }
}
