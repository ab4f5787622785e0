package programs;

import dev.millrace.dl4j.spark.JavaRDD;
import dev.millrace.dl4j.spark.JavaSparkContext;
import dev.millrace.dl4j.spark.MeshBuildMode;
import dev.millrace.dl4j.spark.RDDTrainingApproach;
import dev.millrace.dl4j.spark.SharedTrainingMaster;
import dev.millrace.dl4j.spark.SparkConf;
import dev.millrace.dl4j.spark.SparkDl4jMultiLayer;
import dev.millrace.dl4j.spark.TrainingMaster;
import dev.millrace.dl4j.spark.VoidConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.optimize.listeners.ScoreIterationListener;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.ThresholdAlgorithm;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.ResidualClippingPostProcessor;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A perceptron by gradient sharing, with the structure that DL4J's guide to Spark has. */
public final class GradientSharingProgram {

  private final int batchSizePerWorker = 16;
  private final boolean useSparkLocal;
  private final ThresholdAlgorithm algorithm;

  /** Runs with a threshold, in this process or where it was submitted. */
  public GradientSharingProgram(boolean useSparkLocal, ThresholdAlgorithm algorithm) {
    this.useSparkLocal = useSparkLocal;
    this.algorithm = algorithm;
  }

  /** Runs it. */
  public Evaluation run() {
    SparkConf sparkConf = new SparkConf();
    if (useSparkLocal) {
      sparkConf.setMaster("local[2]");
    }
    sparkConf.setAppName("DL4J Spark gradient sharing");
    JavaSparkContext sc = new JavaSparkContext(sparkConf);

    VoidConfiguration voidConfiguration =
        VoidConfiguration.builder()
            .unicastPort(40123)
            .networkMask("10.0.0.0/16")
            .controllerAddress("10.0.2.4")
            .meshBuildMode(MeshBuildMode.PLAIN)
            .build();

    TrainingMaster<?, ?> trainingMaster =
        new SharedTrainingMaster.Builder(voidConfiguration, batchSizePerWorker)
            .thresholdAlgorithm(algorithm)
            .residualPostProcessor(new ResidualClippingPostProcessor(5, 5))
            .rddTrainingApproach(RDDTrainingApproach.Export)
            .batchSizePerWorker(batchSizePerWorker)
            .workersPerNode(2)
            .build();

    MultiLayerConfiguration conf =
        new NeuralNetConfiguration.Builder()
            .seed(12345)
            .updater(new Adam(1e-3))
            .list()
            .layer(
                new DenseLayer.Builder()
                    .nIn(DrawnDigits.PIXELS)
                    .nOut(64)
                    .activation(Activation.RELU)
                    .build())
            .layer(
                new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                    .activation(Activation.SOFTMAX)
                    .nOut(DrawnDigits.CLASSES)
                    .build())
            .build();

    SparkDl4jMultiLayer sparkNet = new SparkDl4jMultiLayer(sc, conf, trainingMaster);
    sparkNet.setListeners(new ScoreIterationListener(100));

    JavaRDD<DataSet> trainData = sc.parallelize(DrawnDigits.draw(1, 125, batchSizePerWorker));
    JavaRDD<DataSet> testData = sc.parallelize(DrawnDigits.draw(2, 32, batchSizePerWorker));
    for (int i = 0; i < 10; i++) {
      sparkNet.fit(trainData);
    }
    Evaluation evaluation = sparkNet.evaluate(testData);
    sc.close();
    return evaluation;
  }
}
