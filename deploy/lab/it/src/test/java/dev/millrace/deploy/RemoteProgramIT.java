package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.dl4j.ParallelWrapper;
import dev.millrace.dl4j.TrainingContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A program of DL4J whose wrapper trains on a cluster, of which a process is killed. */
@ExtendWith(SharedCluster.class)
class RemoteProgramIT {

  private static final int FEATURES = 512;
  private static final int CLASSES = 4;
  private static final int SIZE = 16;
  private static final int MINIBATCHES = 301;
  private static final int EPOCHS = 12;
  private static final Duration LIMIT = Duration.ofMinutes(4);

  @Test
  void aKilledTaskManagerCostsAFitNoExample(TestCluster cluster) throws Exception {
    Path directory = Files.createDirectories(cluster.directory().resolve("program"));
    MultiLayerNetwork network = network();
    Configuration rest = cluster.cluster().configuration();
    try (TrainingContext context =
            TrainingContext.remote(
                    rest.get(RestOptions.ADDRESS),
                    rest.get(RestOptions.PORT),
                    Distribution.jobJar().toString())
                .directory(directory.toString());
        ParallelWrapper wrapper =
            new ParallelWrapper.Builder<>(network)
                .workers(2)
                .averagingFrequency(3)
                .context(context)
                .build()) {
      CompletableFuture<Void> fit =
          CompletableFuture.runAsync(
              () -> wrapper.fit(new ListDataSetIterator<>(minibatches(1, MINIBATCHES)), EPOCHS));
      String job = JobProcesses.awaitRunning(cluster, "fit", fit);
      JobProcesses.awaitCheckpoint(cluster, job);
      JobProcesses.taskManagerOf(cluster, job).kill();
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                cluster.cluster().startMissing();
                return fit.isDone();
              });
      fit.get();
    }

    EpochLedger.requireAllOnce(directory, EPOCHS, SIZE * MINIBATCHES);
    assertThat(network.evaluate(new ListDataSetIterator<>(minibatches(2, 20))).accuracy())
        .isGreaterThan(0.95);
  }

  private static MultiLayerNetwork network() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.001))
                .list()
                .layer(
                    new DenseLayer.Builder()
                        .nIn(FEATURES)
                        .nOut(512)
                        .activation(Activation.RELU)
                        .build())
                .layer(
                    new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                        .nIn(512)
                        .nOut(CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    return network;
  }

  /** Some features are greater where the class is theirs. */
  private static List<DataSet> minibatches(long seed, int count) {
    Random random = new Random(seed);
    List<DataSet> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      float[] features = new float[SIZE * FEATURES];
      float[] labels = new float[SIZE * CLASSES];
      for (int row = 0; row < SIZE; row++) {
        int kind = random.nextInt(CLASSES);
        labels[row * CLASSES + kind] = 1;
        for (int column = 0; column < FEATURES; column++) {
          features[row * FEATURES + column] =
              (float) random.nextGaussian() + (column % (8 * CLASSES) == kind ? 1 : 0);
        }
      }
      all.add(
          new DataSet(
              Nd4j.create(features, new int[] {SIZE, FEATURES}),
              Nd4j.create(labels, new int[] {SIZE, CLASSES})));
    }
    return all;
  }
}
