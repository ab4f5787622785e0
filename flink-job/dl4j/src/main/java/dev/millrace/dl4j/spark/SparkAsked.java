package dev.millrace.dl4j.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.ROC;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A network that many workers ask, as on Spark: each call is a Flink job.
 *
 * @param <N> the kind of network
 */
@PublicEvolving
@SuppressWarnings({"TypeParameterUnusedInFormals", "overloads", "varargs"}) // As programs know it.
public abstract sealed class SparkAsked<N extends Model> extends SparkTrainable<N>
    permits SparkDl4jMultiLayer, SparkComputationGraph {

  /** What the network is asked about at once, in examples. */
  public static final int DEFAULT_EVAL_SCORE_BATCH_SIZE = 64;

  /** Steps of the thresholds of a ROC. */
  public static final int DEFAULT_ROC_THRESHOLD_STEPS = 32;

  private int evaluationWorkers;

  SparkAsked(JavaSparkContext context, N network, TrainingMaster<?, ?> masterOrNull) {
    super(context, network, masterOrNull);
    this.evaluationWorkers = context.defaultParallelism();
  }

  /** Returns how many workers ask the network: as many as the context has, unless it was said. */
  public final int getDefaultEvaluationWorkers() {
    return evaluationWorkers;
  }

  /** Sets how many workers ask the network. */
  public final void setDefaultEvaluationWorkers(int workers) {
    MasterSettings.requirePositive("number of evaluation workers", workers);
    evaluationWorkers = workers;
  }

  final Inference inference() {
    return inference(evaluationWorkers);
  }

  private Inference inference(int workers) {
    return new Inference(getSparkContext(), getNetwork(), workers);
  }

  @SuppressWarnings("unchecked") // What is asked for is what was given.
  final <T extends IEvaluation<?>> T one(
      List<MultiDataSet> dataSets, int batch, IEvaluation<?> empty) {
    return (T) inference().evaluate(dataSets, batch, empty)[0];
  }

  @SuppressWarnings("unchecked") // What comes is of the classes that were given.
  final <T extends IEvaluation<?>> T[] all(
      List<MultiDataSet> dataSets, int workers, int batch, T[] empty) {
    IEvaluation<?>[] evaluations = inference(workers).evaluate(dataSets, batch, empty);
    return (T[]) Arrays.copyOf(evaluations, evaluations.length, empty.getClass());
  }

  /** Returns the score of all examples, without penalties on weights: their mean, or their sum. */
  public final double calculateScore(JavaRDD<DataSet> data, boolean average) {
    return calculateScore(data, average, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of all examples, without penalties on weights: their mean, or their sum. */
  public final double calculateScore(JavaRDD<DataSet> data, boolean average, int batch) {
    return inference().score(Inference.several(data), average, batch);
  }

  /** Returns the score of each example, with or without penalties on weights. */
  public final JavaDoubleRDD scoreExamples(JavaRDD<DataSet> data, boolean regularized) {
    return scoreExamples(data, regularized, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of each example, with or without penalties on weights. */
  public final JavaDoubleRDD scoreExamples(JavaRDD<DataSet> data, boolean regularized, int batch) {
    return inference().scores(Inference.several(data), regularized, batch);
  }

  /** Returns the score of each example by its key; a data set is one example. */
  public final <K> JavaPairRDD<K, Double> scoreExamples(
      JavaPairRDD<K, DataSet> data, boolean regularized) {
    return scoreExamples(data, regularized, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the score of each example by its key; a data set is one example. */
  public final <K> JavaPairRDD<K, Double> scoreExamples(
      JavaPairRDD<K, DataSet> data, boolean regularized, int batch) {
    return inference().scoresWithKeys(data, DataSet::toMultiDataSet, regularized, batch);
  }

  /** Evaluates classes. */
  public final <T extends Evaluation> T evaluate(JavaRDD<DataSet> data) {
    return evaluate(data, null);
  }

  /** Evaluates classes that have names. */
  public final <T extends Evaluation> T evaluate(JavaRDD<DataSet> data, List<String> labels) {
    return evaluate(data, labels, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Evaluates classes that have names; null: they have none. */
  public final <T extends Evaluation> T evaluate(
      JavaRDD<DataSet> data, List<String> labels, int batch) {
    T evaluation = one(Inference.several(data), batch, Measures.classes());
    if (labels != null) {
      evaluation.setLabelsList(labels);
    }
    return evaluation;
  }

  /** Evaluates real numbers. */
  public final <T extends RegressionEvaluation> T evaluateRegression(JavaRDD<DataSet> data) {
    return evaluateRegression(data, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Evaluates real numbers. */
  public final <T extends RegressionEvaluation> T evaluateRegression(
      JavaRDD<DataSet> data, int batch) {
    return one(Inference.several(data), batch, Measures.regression());
  }

  /** Returns the ROC of one output, or two. */
  public final <T extends ROC> T evaluateROC(JavaRDD<DataSet> data) {
    return evaluateROC(data, DEFAULT_ROC_THRESHOLD_STEPS, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the ROC of one output, or two; 0 steps: the exact one. */
  public final <T extends ROC> T evaluateROC(JavaRDD<DataSet> data, int thresholdSteps, int batch) {
    return one(Inference.several(data), batch, Measures.roc(thresholdSteps));
  }

  /** Returns the ROC of each class against the others. */
  public final <T extends ROCMultiClass> T evaluateROCMultiClass(JavaRDD<DataSet> data) {
    return evaluateROCMultiClass(data, DEFAULT_ROC_THRESHOLD_STEPS, DEFAULT_EVAL_SCORE_BATCH_SIZE);
  }

  /** Returns the ROC of each class against the others; 0 steps: the exact one. */
  public final <T extends ROCMultiClass> T evaluateROCMultiClass(
      JavaRDD<DataSet> data, int thresholdSteps, int batch) {
    return one(Inference.several(data), batch, Measures.rocOfClasses(thresholdSteps));
  }

  /** Evaluates by any measure, which stays as it is. */
  public final <T extends IEvaluation<?>> T doEvaluation(
      JavaRDD<DataSet> data, T emptyEvaluation, int batch) {
    return one(Inference.several(data), batch, emptyEvaluation);
  }

  /** Evaluates by several measures in one pass; these stay as they are. */
  @SafeVarargs
  public final <T extends IEvaluation<?>> T[] doEvaluation(
      JavaRDD<DataSet> data, int batch, T... emptyEvaluations) {
    return doEvaluation(data, evaluationWorkers, batch, emptyEvaluations);
  }

  /** Evaluates by several measures in one pass, by a number of workers. */
  @SafeVarargs
  public final <T extends IEvaluation<?>> T[] doEvaluation(
      JavaRDD<DataSet> data, int workers, int batch, T... emptyEvaluations) {
    return all(Inference.several(data), workers, batch, emptyEvaluations);
  }

  /** Evaluates data sets of files that the program reads. */
  public final IEvaluation<?>[] doEvaluation(
      JavaRDD<String> files, DataSetLoader loader, IEvaluation<?>... emptyEvaluations) {
    return doEvaluation(
        files, evaluationWorkers, DEFAULT_EVAL_SCORE_BATCH_SIZE, loader, emptyEvaluations);
  }

  /** Evaluates data sets of files that the program reads, by a number of workers. */
  public final IEvaluation<?>[] doEvaluation(
      JavaRDD<String> files,
      int workers,
      int batch,
      DataSetLoader loader,
      IEvaluation<?>... emptyEvaluations) {
    return all(
        Inference.several(Saved.loaded(files.elements(), loader)),
        workers,
        batch,
        emptyEvaluations);
  }

  /** Evaluates data sets of files that the program reads. */
  public final IEvaluation<?>[] doEvaluation(
      JavaRDD<String> files, MultiDataSetLoader loader, IEvaluation<?>... emptyEvaluations) {
    return doEvaluation(
        files, evaluationWorkers, DEFAULT_EVAL_SCORE_BATCH_SIZE, loader, emptyEvaluations);
  }

  /** Evaluates data sets of files that the program reads, by a number of workers. */
  public final IEvaluation<?>[] doEvaluation(
      JavaRDD<String> files,
      int workers,
      int batch,
      MultiDataSetLoader loader,
      IEvaluation<?>... emptyEvaluations) {
    return all(Saved.loaded(files.elements(), loader), workers, batch, emptyEvaluations);
  }

  /** Evaluates classes of data sets that a directory holds and the program reads. */
  public final <T extends Evaluation> T evaluate(String directory, DataSetLoader loader) {
    return evaluate(directory, DEFAULT_EVAL_SCORE_BATCH_SIZE, loader);
  }

  /** Evaluates classes of data sets that a directory holds and the program reads. */
  public final <T extends Evaluation> T evaluate(
      String directory, int batch, DataSetLoader loader) {
    return one(
        Inference.several(Saved.loaded(files(directory), loader)), batch, Measures.classes());
  }

  /** Evaluates classes of the data sets that a directory holds, one in a file. */
  public final <T extends Evaluation> T evaluate(String directory) {
    return one(
        Inference.several(Saved.dataSets(files(directory))),
        DEFAULT_EVAL_SCORE_BATCH_SIZE,
        Measures.classes());
  }
}
