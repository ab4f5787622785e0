package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * A network of layers that many workers train and ask, as on Spark. Training is that of {@link
 * dev.millrace.dl4j.ParallelWrapper}; the network has what was learned when {@code fit} returns.
 *
 * <p>Not thread-safe.
 */
@PublicEvolving
public final class SparkDl4jMultiLayer extends SparkAsked<MultiLayerNetwork> {

  /** Trains a new network. */
  public SparkDl4jMultiLayer(
      JavaSparkContext context,
      MultiLayerConfiguration configuration,
      TrainingMaster<?, ?> master) {
    this(context, new MultiLayerNetwork(configuration), master);
  }

  /**
   * Trains a network, or asks it.
   *
   * @param master null: it isn't trained
   */
  public SparkDl4jMultiLayer(
      JavaSparkContext context, MultiLayerNetwork network, TrainingMaster<?, ?> master) {
    super(context, network, master);
  }

  /** Returns the network's output for features, from this process. */
  public INDArray predict(INDArray features) {
    return getNetwork().output(features);
  }

  /** Returns the outputs for features by their keys. */
  public <K> JavaPairRDD<K, INDArray> feedForwardWithKey(
      JavaPairRDD<K, INDArray> features, int batch) {
    return inference()
        .outputsWithKeys(
            features, array -> Inference.unlabelled(new INDArray[] {array}, null), batch)
        .mapValues(outputs -> outputs[0]);
  }

  /** Returns the outputs for features with masks, which may be null, by their keys. */
  public <K> JavaPairRDD<K, INDArray> feedForwardWithMaskAndKey(
      JavaPairRDD<K, Tuple2<INDArray, INDArray>> features, int batch) {
    return inference()
        .outputsWithKeys(features, SparkDl4jMultiLayer::masked, batch)
        .mapValues(outputs -> outputs[0]);
  }

  private static MultiDataSet masked(Tuple2<INDArray, INDArray> features) {
    INDArray mask = features._2();
    return Inference.unlabelled(
        new INDArray[] {features._1()}, mask == null ? null : new INDArray[] {mask});
  }
}
