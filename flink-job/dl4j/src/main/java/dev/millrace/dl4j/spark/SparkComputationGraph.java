package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A graph that many workers train and ask, as on Spark. Training is that of {@link
 * dev.millrace.dl4j.ParallelWrapper}; the graph has what was learned when {@code fit} returns.
 *
 * <p>Not thread-safe.
 */
@PublicEvolving
@SuppressWarnings({"TypeParameterUnusedInFormals", "overloads", "varargs"}) // As programs know it.
public final class SparkComputationGraph extends SparkAsked<ComputationGraph> {

  /** Trains a new network. */
  public SparkComputationGraph(
      JavaSparkContext context,
      ComputationGraphConfiguration configuration,
      TrainingMaster<?, ?> master) {
    this(context, new ComputationGraph(configuration), master);
  }

  /**
   * Trains a network, or asks it.
   *
   * @param master null: it isn't trained
   */
  public SparkComputationGraph(
      JavaSparkContext context, ComputationGraph network, TrainingMaster<?, ?> master) {
    super(context, network, master);
  }

  /** Evaluates classes of data sets that a directory holds and the program reads. */
  public <T extends Evaluation> T evaluate(String directory, MultiDataSetLoader loader) {
    return one(
        Saved.loaded(files(directory), loader), DEFAULT_EVAL_SCORE_BATCH_SIZE, Measures.classes());
  }

  /** Learns from all data sets of several inputs or outputs, each once. */
  public ComputationGraph fitMultiDataSet(JavaRDD<MultiDataSet> data) {
    return trained(fitting -> fitting.fitSeveral(data.elements()));
  }

  /** Learns from the data sets of several inputs or outputs that a directory holds. */
  public ComputationGraph fitMultiDataSet(String directory) {
    return trained(fitting -> fitting.fitSeveral(Saved.multiDataSets(files(directory))));
  }

  /** Learns from those that a directory holds; the number of partitions changes nothing. */
  public ComputationGraph fitMultiDataSet(String directory, int partitions) {
    return fitMultiDataSet(directory);
  }

  /** Learns from data sets of several inputs or outputs of files. */
  public ComputationGraph fitPathsMultiDataSet(JavaRDD<String> files) {
    return trained(fitting -> fitting.fitSeveral(Saved.multiDataSets(files.elements())));
  }

  /** Learns from data sets of several inputs or outputs of files that the program reads. */
  public ComputationGraph fitPaths(JavaRDD<String> files, MultiDataSetLoader loader) {
    return trained(fitting -> fitting.fitSeveral(Saved.loaded(files.elements(), loader)));
  }

  /** Returns the score of all examples, without penalties on weights: their mean, or their sum. */
  public double calculateScoreMultiDataSet(JavaRDD<MultiDataSet> data, boolean average) {
    return calculateScoreMultiDataSet(data, average, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of all examples, without penalties on weights: their mean, or their sum. */
  public double calculateScoreMultiDataSet(JavaRDD<MultiDataSet> data, boolean average, int batch) {
    return inference().score(data.elements(), average, batch);
  }

  /** Returns the score of each example, with or without penalties on weights. */
  public JavaDoubleRDD scoreExamplesMultiDataSet(JavaRDD<MultiDataSet> data, boolean regularized) {
    return scoreExamplesMultiDataSet(data, regularized, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of each example, with or without penalties on weights. */
  public JavaDoubleRDD scoreExamplesMultiDataSet(
      JavaRDD<MultiDataSet> data, boolean regularized, int batch) {
    return inference().scores(data.elements(), regularized, batch);
  }

  /** Returns the score of each example by its key; a data set is one example. */
  public <K> JavaPairRDD<K, Double> scoreExamplesMultiDataSet(
      JavaPairRDD<K, MultiDataSet> data, boolean regularized) {
    return scoreExamplesMultiDataSet(data, regularized, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of each example by its key; a data set is one example. */
  public <K> JavaPairRDD<K, Double> scoreExamplesMultiDataSet(
      JavaPairRDD<K, MultiDataSet> data, boolean regularized, int batch) {
    return inference().scoresWithKeys(data, dataSet -> dataSet, regularized, batch);
  }

  /** Returns the outputs for features by their keys, of a graph with one input and one output. */
  public <K> JavaPairRDD<K, INDArray> feedForwardWithKeySingle(
      JavaPairRDD<K, INDArray> features, int batch) {
    return inference()
        .outputsWithKeys(
            features, array -> Inference.unlabelled(new INDArray[] {array}, null), batch)
        .mapValues(outputs -> outputs[0]);
  }

  /** Returns the arrays of all outputs for those of all inputs, by their keys. */
  public <K> JavaPairRDD<K, INDArray[]> feedForwardWithKey(
      JavaPairRDD<K, INDArray[]> features, int batch) {
    return inference()
        .outputsWithKeys(features, arrays -> Inference.unlabelled(arrays, null), batch);
  }

  /** Evaluates classes. */
  public <T extends Evaluation> T evaluateMDS(JavaRDD<MultiDataSet> data) {
    return evaluateMDS(data, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Evaluates classes. */
  public <T extends Evaluation> T evaluateMDS(JavaRDD<MultiDataSet> data, int batch) {
    return one(data.elements(), batch, Measures.classes());
  }

  /** Evaluates real numbers. */
  public <T extends RegressionEvaluation> T evaluateRegressionMDS(JavaRDD<MultiDataSet> data) {
    return evaluateRegressionMDS(data, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Evaluates real numbers. */
  public <T extends RegressionEvaluation> T evaluateRegressionMDS(
      JavaRDD<MultiDataSet> data, int batch) {
    return one(data.elements(), batch, Measures.regression());
  }

  /** Returns the ROC of one output, or two. */
  public ROC evaluateROCMDS(JavaRDD<MultiDataSet> data) {
    return evaluateROCMDS(data, DEFAULT_ROC_THRESHOLD_STEPS, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the ROC of one output, or two; 0 steps: the exact one. */
  public <T extends ROC> T evaluateROCMDS(
      JavaRDD<MultiDataSet> data, int rocThresholdNumSteps, int batch) {
    return one(data.elements(), batch, Measures.roc(rocThresholdNumSteps));
  }

  /** Evaluates by several measures in one pass; these stay as they are. */
  @SafeVarargs
  public final <T extends IEvaluation<?>> T[] doEvaluationMDS(
      JavaRDD<MultiDataSet> data, int batch, T... emptyEvaluations) {
    return doEvaluationMDS(data, getDefaultEvaluationWorkers(), batch, emptyEvaluations);
  }

  /** Evaluates by several measures in one pass, by a number of workers. */
  @SafeVarargs
  public final <T extends IEvaluation<?>> T[] doEvaluationMDS(
      JavaRDD<MultiDataSet> data, int workers, int batch, T... emptyEvaluations) {
    return all(data.elements(), workers, batch, emptyEvaluations);
  }
}
