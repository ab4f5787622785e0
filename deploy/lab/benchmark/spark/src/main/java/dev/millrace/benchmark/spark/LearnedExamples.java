package dev.millrace.benchmark.spark;

import java.util.concurrent.atomic.AtomicLong;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.spark.api.TrainingHook;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Counts the examples that all workers of this process have learned. Spark sends workers copies of
 * it, hence one count for all of them.
 */
final class LearnedExamples implements TrainingHook {

  private static final long serialVersionUID = 1;

  private static final AtomicLong COUNT = new AtomicLong();

  /** Returns the examples since the process began. */
  static long count() {
    return COUNT.get();
  }

  @Override
  public void preUpdate(DataSet minibatch, Model model) {}

  @Override
  public void postUpdate(DataSet minibatch, Model model) {
    COUNT.addAndGet(minibatch.numExamples());
  }

  @Override
  public void preUpdate(MultiDataSet minibatch, Model model) {}

  @Override
  public void postUpdate(MultiDataSet minibatch, Model model) {
    throw new UnsupportedOperationException("Workloads are of data sets");
  }
}
