package dev.millrace.benchmark.peer;

import java.util.Random;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A tiny network with three classes that are easy to tell apart. */
final class Workloads {

  static final int BATCH = 8;

  private Workloads() {}

  static Workload tiny() {
    return new Workload(network(), examples(1, 15 * BATCH));
  }

  static Examples examples(long seed, int count) {
    WorkloadShape shape = new WorkloadShape(4, 3, BATCH, count);
    Random random = new Random(seed);
    float[] features = new float[count * 4];
    float[] labels = new float[count * 3];
    for (int i = 0; i < count; i++) {
      int category = random.nextInt(3);
      for (int column = 0; column < 4; column++) {
        features[i * 4 + column] = (float) random.nextGaussian() / 4 + (column == category ? 1 : 0);
      }
      labels[i * 3 + category] = 1;
    }
    return new Examples(shape, features, labels);
  }

  private static String network() {
    return new NeuralNetConfiguration.Builder()
        .seed(17)
        .updater(new Nesterovs(0.1, 0.9))
        .list()
        .layer(new DenseLayer.Builder().nIn(4).nOut(8).activation(Activation.RELU).build())
        .layer(
            new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD)
                .activation(Activation.SOFTMAX)
                .nIn(8)
                .nOut(3)
                .build())
        .build()
        .toJson();
  }
}
