package dev.millrace.dl4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.dl4j.TrainingContext;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationBinary;
import org.nd4j.evaluation.classification.ROCBinary;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import programs.DrawnDigits;

/** Networks on Spark's names: what they are trained on, and what they are asked. */
class InferenceIT {

  private static final JavaSparkContext CONTEXT =
      new JavaSparkContext(new SparkConf().setMaster("local[2]").setAppName("test"));

  private static final TrainingMaster<?, ?> MASTER =
      new ParameterAveragingTrainingMaster.Builder(16).averagingFrequency(2).build();

  @TempDir private static Path directory;

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  @Test
  void savedDataSetsAreTrainedOnAndEvaluated() throws IOException {
    List<DataSet> data = DrawnDigits.draw(1, 20, 20);
    Path saved = Files.createDirectory(directory.resolve("saved"));
    List<String> files = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      File file = saved.resolve("dataset_" + i + ".bin").toFile();
      data.get(i).save(file);
      files.add(file.toString());
    }
    SparkDl4jMultiLayer byPath = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);
    SparkDl4jMultiLayer byCollection =
        new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);
    SparkDl4jMultiLayer byLoader = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);
    DataSetLoader loader =
        source -> {
          DataSet dataSet = new DataSet();
          dataSet.load(source.getInputStream());
          return dataSet;
        };

    byPath.fit(saved.toString());
    byCollection.fit(CONTEXT.parallelize(data));
    byLoader.fitPaths(CONTEXT.parallelize(files), loader);

    assertThat(byPath.getNetwork().getIterationCount()).isBetween(12, 13);
    assertThat(byPath.getScore()).isPositive();
    INDArray expected = byCollection.getNetwork().params();
    assertThat(byPath.getNetwork().params().equalsWithEps(expected, 1e-5)).isTrue();
    assertThat(byLoader.getNetwork().params().equalsWithEps(expected, 1e-5)).isTrue();
    Evaluation evaluation = byPath.evaluate(saved.toString());
    assertThat(evaluation.getConfusionMatrix())
        .isEqualTo(byPath.evaluate(CONTEXT.parallelize(data)).getConfusionMatrix())
        .isEqualTo(byPath.evaluate(saved.toString(), loader).getConfusionMatrix());
    JavaRDD<DataSet> read = CONTEXT.dataSets(saved.toUri().toString());
    assertThat(read.count()).isEqualTo(20);
    assertThat(byPath.evaluate(read).getConfusionMatrix())
        .isEqualTo(evaluation.getConfusionMatrix());
    assertThat(evaluation.getNumRowCounter()).isEqualTo(400);
  }

  @Test
  void whatFailsOnceIsDoneAgain() throws IOException {
    List<DataSet> data = DrawnDigits.draw(3, 6, 16);
    Path saved = Files.createDirectory(directory.resolve("again"));
    List<String> files = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      File file = saved.resolve("dataset_" + i + ".bin").toFile();
      data.get(i).save(file);
      files.add(file.toString());
    }
    AtomicInteger reads = new AtomicInteger();
    DataSetLoader loader =
        source -> {
          if (reads.getAndIncrement() == 3) {
            throw new IOException("once");
          }
          DataSet dataSet = new DataSet();
          dataSet.load(source.getInputStream());
          return dataSet;
        };
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);

    Evaluation[] found = shared.doEvaluation(CONTEXT.parallelize(data), 16, new Evaluation(10));
    IEvaluation<?>[] again =
        shared.doEvaluation(CONTEXT.parallelize(files), loader, new Evaluation(10));

    assertThat(reads).hasValueGreaterThan(6);
    assertThat(((Evaluation) again[0]).getConfusionMatrix())
        .isEqualTo(found[0].getConfusionMatrix());
    reads.set(1);
    shared.fitPaths(CONTEXT.parallelize(files), loader);
    assertThat(shared.getNetwork().getIterationCount()).isEqualTo(3);
  }

  @Test
  void anotherClusterFindsItByFiles() {
    MultiLayerNetwork network = Networks.perceptron();
    List<DataSet> data = DrawnDigits.draw(2, 5, 20);
    JavaSparkContext elsewhere =
        JavaSparkContext.of(
            TrainingContext.current().directory(directory.resolve("files").toUri().toString()), 2);
    SparkDl4jMultiLayer there = new SparkDl4jMultiLayer(elsewhere, network, null);

    Evaluation found = there.evaluate(elsewhere.parallelize(data));
    Map<Integer, INDArray> outputs =
        there
            .feedForwardWithKey(
                elsewhere.parallelizePairs(
                    List.of(
                        new Tuple2<>(1, data.get(0).getFeatures()),
                        new Tuple2<>(2, data.get(1).getFeatures()))),
                4)
            .collectAsMap();

    Evaluation alone = network.evaluate(new ListDataSetIterator<>(data, 20));
    assertThat(found.getConfusionMatrix()).isEqualTo(alone.getConfusionMatrix());
    assertThat(outputs.get(2)).isEqualTo(network.output(data.get(1).getFeatures()));
    assertThat(directory.resolve("files")).isEmptyDirectory();
  }

  @Test
  void outputsOfTheirOwnAreMerged() {
    MultiLayerNetwork network = Networks.perceptron();
    List<DataSet> data = DrawnDigits.draw(2, 7, 20);
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, network, null);

    IEvaluation<?>[] found =
        shared.doEvaluation(
            CONTEXT.parallelize(data), 3, 20, new EvaluationBinary(), new ROCBinary(0));

    IEvaluation<?>[] alone = {new EvaluationBinary(), new ROCBinary(0)};
    network.doEvaluation(new ListDataSetIterator<>(data, 1), alone);
    assertThat(found[0].stats()).isEqualTo(alone[0].stats());
    assertThat(found[1].stats()).isEqualTo(alone[1].stats());
  }

  @Test
  void anotherClusterLearnsByFiles() {
    List<DataSet> data = DrawnDigits.draw(2, 6, 16);
    JavaSparkContext elsewhere =
        JavaSparkContext.of(
            TrainingContext.current().directory(directory.resolve("fit").toUri().toString()), 2);
    TrainingMaster<?, ?> counting =
        new ParameterAveragingTrainingMaster.Builder(16)
            .averagingFrequency(2)
            .collectTrainingStats(true)
            .build();
    SparkDl4jMultiLayer there = new SparkDl4jMultiLayer(elsewhere, Networks.perceptron(), counting);
    SparkDl4jMultiLayer here = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);

    there.fit(elsewhere.parallelize(data));
    here.fit(CONTEXT.parallelize(data));

    assertThat(there.getNetwork().getIterationCount()).isEqualTo(3);
    assertThat(there.getNetwork().params().equalsWithEps(here.getNetwork().params(), 1e-5))
        .isTrue();
    assertThat(there.getSparkTrainingStats().getValue("examples")).containsExactly(96.0);
    assertThat(here.getSparkTrainingStats()).isNull();
  }

  @Test
  void keysStayWithSequencesOfAnyLength() {
    MultiLayerNetwork network = Networks.sequences();
    List<Tuple2<String, Tuple2<INDArray, INDArray>>> sequences = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      INDArray features = Nd4j.rand(1, 3, 2 + i % 4);
      INDArray mask = i % 3 == 0 ? null : Nd4j.ones(1, 2 + i % 4);
      sequences.add(new Tuple2<>("sequence " + i, new Tuple2<>(features, mask)));
    }
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, network, null);

    Map<String, INDArray> outputs =
        shared.feedForwardWithMaskAndKey(CONTEXT.parallelizePairs(sequences), 8).collectAsMap();

    assertThat(outputs).hasSize(20);
    sequences.forEach(
        sequence ->
            assertThat(
                    outputs
                        .get(sequence._1())
                        .equalsWithEps(network.output(sequence._2()._1()), 1e-5))
                .isTrue());
  }

  @Test
  void sequencesOfAnyLengthAreTrainedOn() {
    List<DataSet> data = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      int steps = 2 + i % 5;
      data.add(new DataSet(Nd4j.rand(1, 3, steps), labels(steps)));
    }
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, Networks.sequences(), MASTER);

    INDArray before = shared.getNetwork().params().dup();
    shared.fit(CONTEXT.parallelize(data));

    assertThat(shared.getNetwork().params()).isNotEqualTo(before);
    assertThat(shared.getScore()).isPositive();
  }

  private static INDArray labels(int steps) {
    INDArray labels = Nd4j.create(1, 2, steps);
    for (int step = 0; step < steps; step++) {
      labels.putScalar(0, step % 2, step, 1);
    }
    return labels;
  }

  @Test
  void graphsOfSeveralInputsAndOutputsAreTrainedAndAsked() {
    List<MultiDataSet> data = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      data.add(
          new org.nd4j.linalg.dataset.MultiDataSet(
              new INDArray[] {Nd4j.rand(4, 3), Nd4j.rand(4, 2)},
              new INDArray[] {classes(), Nd4j.rand(4, 1)}));
    }
    SparkComputationGraph shared = new SparkComputationGraph(CONTEXT, Networks.graph(), MASTER);

    ComputationGraph network = shared.fitMultiDataSet(CONTEXT.parallelize(data));
    JavaPairRDD<Integer, MultiDataSet> keyed =
        CONTEXT.parallelize(data).mapToPair(item -> new Tuple2<>(data.indexOf(item), item));
    Map<Integer, INDArray[]> outputs =
        shared.feedForwardWithKey(keyed.mapValues(MultiDataSet::getFeatures), 16).collectAsMap();

    assertThat(network.getIterationCount()).isEqualTo(5);
    for (int i = 0; i < data.size(); i++) {
      INDArray[] expected = network.output(data.get(i).getFeatures());
      assertThat(outputs.get(i)[0].equalsWithEps(expected[0], 1e-5)).isTrue();
      assertThat(outputs.get(i)[1].equalsWithEps(expected[1], 1e-5)).isTrue();
    }
    JavaDoubleRDD scores = shared.scoreExamplesMultiDataSet(CONTEXT.parallelize(data), false);
    assertThat(scores.count()).isEqualTo(160);
    assertThat(shared.calculateScoreMultiDataSet(CONTEXT.parallelize(data), true))
        .isCloseTo(scores.mean(), within(1e-4));
  }

  private static INDArray classes() {
    INDArray labels = Nd4j.create(4, 2);
    for (int row = 0; row < 4; row++) {
      labels.putScalar(row, row % 2, 1);
    }
    return labels;
  }

  @Test
  void nothingIsAskedAboutNothing() {
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), MASTER);
    JavaRDD<DataSet> none = CONTEXT.parallelize(List.of());

    assertThat(shared.evaluate(none).getNumRowCounter()).isZero();
    assertThat(shared.scoreExamples(none, false).collect()).isEmpty();
    assertThat(shared.calculateScore(none, true)).isNaN();
    INDArray before = shared.getNetwork().params().dup();
    shared.fit(none);
    assertThat(shared.getNetwork().params()).isEqualTo(before);
  }

  @Test
  void whatFailsIsSaid() {
    SparkDl4jMultiLayer shared = new SparkDl4jMultiLayer(CONTEXT, Networks.perceptron(), null);
    DataSet two = DrawnDigits.draw(1, 1, 2).get(0);
    DataSet narrow = new DataSet(Nd4j.rand(2, 3), Nd4j.rand(2, 10));

    assertThatThrownBy(
            () ->
                shared.scoreExamples(
                    CONTEXT.parallelizePairs(List.of(new Tuple2<>("k", two))), false))
        .hasMessageContaining("key k has 2 examples");
    assertThatThrownBy(() -> shared.evaluate(CONTEXT.parallelize(List.of(narrow))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("3");
    assertThatThrownBy(() -> shared.fit(CONTEXT.parallelize(List.of(two))))
        .hasMessageContaining("no training master");
  }
}
