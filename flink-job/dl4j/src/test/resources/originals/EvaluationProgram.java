package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaDoubleRDD;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.EvaluationCalibration;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import scala.Tuple2;

/** A trained network is evaluated and asked, with the structure of DL4J's guide to Spark. */
@SuppressWarnings("rawtypes") // As programs are written.
public final class EvaluationProgram {

  private final boolean useSparkLocal;
  private final MultiLayerNetwork net;
  private final List<DataSet> testDataList;

  private Map<String, INDArray> predictions;
  private Map<String, Double> scoresByKey;
  private JavaDoubleRDD scores;
  private double averageScore;

  /** Asks a network about data, in this process or where it was submitted. */
  public EvaluationProgram(
      boolean useSparkLocal, MultiLayerNetwork net, List<DataSet> testDataList) {
    this.useSparkLocal = useSparkLocal;
    this.net = net;
    this.testDataList = testDataList;
  }

  /** Runs it. */
  public IEvaluation[] run() {
    SparkConf sparkConf = new SparkConf();
    if (useSparkLocal) {
      sparkConf.setMaster("local[3]");
    }
    sparkConf.setAppName("DL4J Spark evaluation");
    JavaSparkContext sc = new JavaSparkContext(sparkConf);

    SparkDl4jMultiLayer sparkNet = new SparkDl4jMultiLayer(sc, net, null);
    JavaRDD<DataSet> testData = sc.parallelize(testDataList);

    IEvaluation[] evaluations =
        sparkNet.doEvaluation(
            testData,
            64,
            new Evaluation(10),
            new ROCMultiClass(0),
            new RegressionEvaluation(10),
            new EvaluationCalibration());

    List<DataSet> examples = new ArrayList<>();
    testDataList.forEach(dataSet -> examples.addAll(dataSet.asList()));
    List<Tuple2<String, DataSet>> withKeys = new ArrayList<>();
    for (int i = 0; i < examples.size(); i++) {
      withKeys.add(new Tuple2<>("example-" + i, examples.get(i)));
    }
    JavaPairRDD<String, DataSet> keyed = sc.parallelizePairs(withKeys);
    JavaPairRDD<String, INDArray> features =
        keyed.mapToPair(pair -> new Tuple2<>(pair._1(), pair._2().getFeatures()));

    predictions = sparkNet.feedForwardWithKey(features, 32).collectAsMap();
    scoresByKey = sparkNet.scoreExamples(keyed, false).collectAsMap();
    scores = sparkNet.scoreExamples(testData, false);
    averageScore = sparkNet.calculateScore(testData, true);
    sc.close();
    return evaluations;
  }

  /** Returns outputs by keys. */
  public Map<String, INDArray> predictions() {
    return predictions;
  }

  /** Returns scores by keys. */
  public Map<String, Double> scoresByKey() {
    return scoresByKey;
  }

  /** Returns scores in order. */
  public JavaDoubleRDD scores() {
    return scores;
  }

  /** Returns the mean score. */
  public double averageScore() {
    return averageScore;
  }
}
