package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dl4j.Dl4jModels;
import dev.millrace.dl4j.ParallelWrapper;
import dev.millrace.dl4j.StreamingWrapper;
import dev.millrace.file.DataSpec;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.LatestSnapshot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A program of DL4J whose wrapper learns from a topic: to its end, or until it is stopped. */
class StreamingProgramIT {

  private static final int EXAMPLES = 2_000;

  @TempDir Path directory;

  @Test
  @Timeout(240)
  void aTopicIsLearnedInPlaceOfAnIterator() throws Exception {
    Topic topic =
        Topic.of(
            Broker.cluster().bootstrapServers(),
            "program",
            2,
            DataSpec.parse("digits:" + EXAMPLES));
    MultiLayerNetwork network = network();
    float[] before = network.params().toFloatVector();

    fit(network, topic, "first", true, wrapper -> {});

    assertThat(learned("first")).isEqualTo(EXAMPLES);
    float[] once = network.params().toFloatVector();
    assertThat(once).isNotEqualTo(before);
    assertThat(Dl4jModels.latest(directory.resolve("first").toString()).network().params())
        .isEqualTo(network.params());

    // It goes on for ever unless it is stopped.
    AtomicInteger rounds = new AtomicInteger();
    fit(
        network,
        topic,
        "second",
        false,
        wrapper ->
            wrapper.setListeners(
                new BaseTrainingListener() {
                  @Override
                  public void iterationDone(Model model, int iteration, int epoch) {
                    if (rounds.incrementAndGet() == 10) {
                      wrapper.stopFit();
                    }
                  }
                }));

    assertThat(learned("second")).isPositive();
    assertThat(Arrays.equals(network.params().toFloatVector(), once)).isFalse();
  }

  /** Prepares a wrapper before it learns. */
  private interface Preparation {

    void prepare(StreamingWrapper wrapper);
  }

  private void fit(
      MultiLayerNetwork network, Topic topic, String models, boolean bounded, Preparation before)
      throws Exception {
    try (StreamingWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
                .workers(2)
                .averagingFrequency(3)
                .option("input.format", "uint8")
                .option("input.bounded", Boolean.toString(bounded))
                .option("snapshot.directory", directory.resolve(models).toString())
                .stream(topic.bootstrapServers(), topic.name())) {
      before.prepare(wrapper);
      CompletableFuture.runAsync(wrapper::fit).get();
    }
  }

  private long learned(String models) throws Exception {
    return LatestSnapshot.find(directory.resolve(models)).orElseThrow().description().learned();
  }

  private static MultiLayerNetwork network() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.001))
                .list()
                .layer(
                    new DenseLayer.Builder().nIn(784).nOut(32).activation(Activation.RELU).build())
                .layer(
                    new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                        .nIn(32)
                        .nOut(10)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    return network;
  }
}
