package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** What Spark's workers call around each step. Training masters refuse it, and say what to do. */
@PublicEvolving
public interface TrainingHook extends Serializable {

  /** Comes before a step. */
  void preUpdate(DataSet minibatch, Model model);

  /** Comes after a step. */
  void postUpdate(DataSet minibatch, Model model);

  /** Comes before a step. */
  void preUpdate(MultiDataSet minibatch, Model model);

  /** Comes after a step. */
  void postUpdate(MultiDataSet minibatch, Model model);
}
