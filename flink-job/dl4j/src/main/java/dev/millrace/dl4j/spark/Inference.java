package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.evaluate.SharedNetwork;
import dev.millrace.dl4j.evaluate.TotalScore;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Asks a network about collections: all workers do, each about its part.
 *
 * @param workers at least 1
 */
record Inference(JavaSparkContext context, Model network, int workers) {

  static List<MultiDataSet> several(JavaRDD<DataSet> dataSets) {
    return new MappedList<>(dataSets.elements(), DataSet::toMultiDataSet);
  }

  static List<MultiDataSet> several(List<DataSet> dataSets) {
    return new MappedList<>(dataSets, DataSet::toMultiDataSet);
  }

  IEvaluation<?>[] evaluate(List<MultiDataSet> dataSets, int batch, IEvaluation<?>... empty) {
    return shared().evaluate(dataSets, batch, empty);
  }

  JavaDoubleRDD scores(List<MultiDataSet> dataSets, boolean regularized, int batch) {
    return context.parallelizeDoubles(boxed(shared().scoreExamples(dataSets, regularized, batch)));
  }

  /** Scores data sets of one example each. */
  <K, D> JavaPairRDD<K, Double> scoresWithKeys(
      JavaPairRDD<K, D> dataSets,
      Function<D, MultiDataSet> several,
      boolean regularized,
      int batch) {
    List<MultiDataSet> items =
        new MappedList<>(
            dataSets.elements(), pair -> requireOne(pair._1(), several.apply(pair._2())));
    return dataSets.withValues(boxed(shared().scoreExamples(items, regularized, batch)));
  }

  private static MultiDataSet requireOne(Object key, MultiDataSet dataSet) {
    long examples = dataSet.getFeatures(0).size(0);
    if (examples != 1) {
      throw new IllegalArgumentException(
          "The data set of key %s has %s examples, and a score with a key is one example's: give each example its key"
              .formatted(key, examples));
    }
    return dataSet;
  }

  double score(List<MultiDataSet> dataSets, boolean average, int batch) {
    TotalScore total = shared().score(dataSets, batch);
    return average ? total.mean() : total.sum();
  }

  /** Returns of each value the arrays of all outputs. */
  <K, V> JavaPairRDD<K, INDArray[]> outputsWithKeys(
      JavaPairRDD<K, V> values, Function<V, MultiDataSet> features, int batch) {
    List<MultiDataSet> items =
        new MappedList<>(values.elements(), pair -> features.apply(pair._2()));
    return values.withValues(shared().outputs(items, batch));
  }

  /** Returns features as a data set without labels. */
  static MultiDataSet unlabelled(INDArray[] features, INDArray[] masksOrNull) {
    return new org.nd4j.linalg.dataset.MultiDataSet(features, null, masksOrNull, null);
  }

  private SharedNetwork shared() {
    return new SharedNetwork(context.training(), network, workers);
  }

  private static List<Double> boxed(double[] scores) {
    return DoubleStream.of(scores).boxed().toList();
  }
}
