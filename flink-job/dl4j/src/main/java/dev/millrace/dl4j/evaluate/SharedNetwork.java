package dev.millrace.dl4j.evaluate;

import dev.millrace.dl4j.TrainingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A network that workers ask about data, each about its part, with a copy of its own. Each call is
 * one Flink job. Results are in the order of the data.
 */
public final class SharedNetwork {

  private final NetworkJob job;

  /**
   * @param workers at least 1
   */
  public SharedNetwork(TrainingContext context, Model network, int workers) {
    this.job = new NetworkJob(context, network, workers);
  }

  /**
   * Evaluates in one pass, and merges what the workers found, in the order of the data.
   *
   * @param batch examples that the network is asked about at once
   * @param empty what is measured; these stay as they are
   */
  public IEvaluation<?>[] evaluate(
      List<? extends MultiDataSet> items, int batch, IEvaluation<?>... empty) {
    EvaluationWork work = new EvaluationWork(empty.clone(), batch);
    List<IEvaluation<?>[]> parts = job.run(items, work);
    if (parts.isEmpty()) {
      return work.copy();
    }
    IEvaluation<?>[] merged = parts.get(0);
    for (IEvaluation<?>[] part : parts.subList(1, parts.size())) {
      for (int i = 0; i < merged.length; i++) {
        Merging.merge(merged[i], part[i]);
      }
    }
    return merged;
  }

  /** Scores each example; regularized: with the penalties on weights. */
  public double[] scoreExamples(
      List<? extends MultiDataSet> items, boolean regularized, int batch) {
    return job.run(items, new ScoresWork(regularized, batch)).stream()
        .flatMapToDouble(DoubleStream::of)
        .toArray();
  }

  /** Scores all examples together, without penalties on weights. */
  public TotalScore score(List<? extends MultiDataSet> items, int batch) {
    return job.run(items, new TotalScoreWork(batch)).stream()
        .reduce(new TotalScore(0, 0), TotalScore::plus);
  }

  /** Returns of each item the arrays of all outputs. */
  public List<INDArray[]> outputs(List<? extends MultiDataSet> items, int batch) {
    List<INDArray[]> outputs = new ArrayList<>();
    job.run(items, new OutputsWork(batch)).forEach(part -> outputs.addAll(part.ofItems()));
    return outputs;
  }
}
