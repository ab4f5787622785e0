package programs;

import dev.millrace.dl4j.spark.JavaRDD;
import dev.millrace.dl4j.spark.JavaSparkContext;
import dev.millrace.dl4j.spark.ParameterAveragingTrainingMaster;
import dev.millrace.dl4j.spark.Repartition;
import dev.millrace.dl4j.spark.RepartitionStrategy;
import dev.millrace.dl4j.spark.SparkConf;
import dev.millrace.dl4j.spark.SparkDl4jMultiLayer;
import dev.millrace.dl4j.spark.TrainingMaster;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A perceptron by parameter averaging, with the structure that DL4J's guide to Spark has. */
public final class ParameterAveragingProgram {

  private final int batchSizePerWorker = 16;
  private final int numEpochs = 5;
  private final boolean useSparkLocal;

  private String stats;
  private String trainingStats;

  /** Runs in this process, or where it was submitted. */
  public ParameterAveragingProgram(boolean useSparkLocal) {
    this.useSparkLocal = useSparkLocal;
  }

  /** Runs it. */
  public Evaluation run() {
    SparkConf sparkConf = new SparkConf();
    if (useSparkLocal) {
      sparkConf.setMaster("local[2]");
    }
    sparkConf.setAppName("DL4J Spark MLP Example");
    JavaSparkContext sc = new JavaSparkContext(sparkConf);

    List<DataSet> trainDataList = DrawnDigits.draw(1, 125, batchSizePerWorker);
    List<DataSet> testDataList = DrawnDigits.draw(2, 32, batchSizePerWorker);
    JavaRDD<DataSet> trainData = sc.parallelize(trainDataList);
    JavaRDD<DataSet> testData = sc.parallelize(testDataList);

    MultiLayerConfiguration conf =
        new NeuralNetConfiguration.Builder()
            .seed(12345)
            .activation(Activation.LEAKYRELU)
            .weightInit(WeightInit.XAVIER)
            .updater(new Nesterovs(0.02))
            .l2(1e-4)
            .list()
            .layer(new DenseLayer.Builder().nIn(DrawnDigits.PIXELS).nOut(64).build())
            .layer(new DenseLayer.Builder().nOut(32).build())
            .layer(
                new OutputLayer.Builder(LossFunctions.LossFunction.NEGATIVELOGLIKELIHOOD)
                    .activation(Activation.SOFTMAX)
                    .nOut(DrawnDigits.CLASSES)
                    .build())
            .build();

    TrainingMaster<?, ?> tm =
        new ParameterAveragingTrainingMaster.Builder(batchSizePerWorker)
            .averagingFrequency(5)
            .workerPrefetchNumBatches(2)
            .batchSizePerWorker(batchSizePerWorker)
            .saveUpdater(true)
            .aggregationDepth(2)
            .rngSeed(12345)
            .repartionData(Repartition.Always)
            .repartitionStrategy(RepartitionStrategy.Balanced)
            .collectTrainingStats(true)
            .build();

    SparkDl4jMultiLayer sparkNet = new SparkDl4jMultiLayer(sc, conf, tm);
    for (int i = 0; i < numEpochs; i++) {
      sparkNet.fit(trainData);
    }

    Evaluation evaluation = sparkNet.doEvaluation(testData, 64, new Evaluation(10))[0];
    stats = evaluation.stats();
    trainingStats = sparkNet.getSparkTrainingStats().statsAsString();
    tm.deleteTempFiles(sc);
    sc.close();
    return evaluation;
  }

  /** Returns what it would print. */
  public String stats() {
    return stats;
  }

  /** Returns what training did. */
  public String trainingStats() {
    return trainingStats;
  }
}
