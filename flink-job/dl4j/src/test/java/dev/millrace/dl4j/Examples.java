package dev.millrace.dl4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A small network, and examples that it learns within seconds. */
final class Examples {

  static final int FEATURES = 4;
  static final int CLASSES = 3;

  private Examples() {}

  static MultiLayerNetwork network() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.01))
                .list()
                .layer(
                    new DenseLayer.Builder()
                        .nIn(FEATURES)
                        .nOut(16)
                        .activation(Activation.RELU)
                        .build())
                .layer(
                    new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                        .nIn(16)
                        .nOut(CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    return network;
  }

  static DataSetIterator iterator(long seed, int count, int size) {
    return new ListDataSetIterator<>(minibatches(seed, count, size), 1);
  }

  static List<DataSet> minibatches(long seed, int count, int size) {
    Random random = new Random(seed);
    List<DataSet> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(minibatch(random, size));
    }
    return all;
  }

  static DataSet minibatch(Random random, int size) {
    INDArray features = Nd4j.create(size, FEATURES);
    INDArray labels = Nd4j.create(size, CLASSES);
    for (int row = 0; row < size; row++) {
      int kind = random.nextInt(CLASSES);
      for (int column = 0; column < FEATURES; column++) {
        features.putScalar(
            row, column, random.nextGaussian() * 0.3 + (column % CLASSES == kind ? 1 : 0));
      }
      labels.putScalar(row, kind, 1);
    }
    return new DataSet(features, labels);
  }

  static double accuracy(MultiLayerNetwork network) {
    return network.evaluate(iterator(99, 10, 32)).accuracy();
  }
}
