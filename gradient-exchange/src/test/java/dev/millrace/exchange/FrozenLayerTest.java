package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.LockStepJob.Ways;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayerWithBackprop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** What a DL4J network has frozen stays as it is, bit by bit, whatever the exchange does. */
class FrozenLayerTest {

  private static final ExampleShape SHAPE = new ExampleShape(6, 3, Target.CLASSIFICATION);
  private static final int STEPS = 4 * LockStepJob.LOCAL_STEPS;
  private static final RateFactors RATES = new RateFactors(4, 2, 1, 200);

  @TempDir Path directory;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);
  private InitialModel initial;
  private List<LayerDescription> layers;

  @BeforeEach
  void define() throws IOException {
    ModelEngine engine = ModelEngine.named("dl4j");
    initial =
        engine.define(
            new Configuration(
                Files.writeString(directory.resolve("network.json"), network()), SHAPE));
    layers = engine.describe(initial.spec().kind(), initial.spec().configuration());
  }

  static Stream<Ways> ways() {
    Codec threshold = Codec.threshold(ThresholdRule.fixed(1e-3f));
    Averaging average = new Averaging(100, true);
    OlderModelPenalty initial = new OlderModelPenalty(Moment.INITIAL, 1, 0.1, 0, 0);
    OlderModelPenalty weighed = new OlderModelPenalty(Moment.PERIODIC, 64, 0.1, 2, 0.5);
    return Stream.of(
        Ways.of(Codec.float32()),
        new Ways(
            Codec.int8(),
            ServerOptimizer.nesterov(0.7, 0.9),
            new FeedbackCodecs(Codec.int8(), null),
            average,
            List.of(initial)),
        new Ways(
            threshold,
            ServerOptimizer.adam(0.01, 0.9, 0.99, 1e-8),
            new FeedbackCodecs(threshold, Codec.bfloat16()),
            average,
            List.of(weighed)),
        new Ways(
            Codec.topK(0.2),
            ServerOptimizer.none(0.5),
            new FeedbackCodecs(Codec.topK(0.2), Codec.topK(0.2)),
            Averaging.NONE,
            List.of(weighed)),
        new Ways(
            Codec.twoBitTopK(0.2),
            ServerOptimizer.none(0.5),
            new FeedbackCodecs(Codec.twoBitTopK(0.2), Codec.bfloat16()),
            Averaging.NONE,
            List.of(weighed)),
        new Ways(
            Codec.bfloat16(),
            ServerOptimizer.none(1),
            new FeedbackCodecs(Codec.bfloat16(), Codec.bfloat16()),
            average,
            List.of(initial)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void staysAsItIs(Ways ways) throws IOException {
    for (int replicas : new int[] {1, 3}) {
      LockStepJob job = new LockStepJob(initial, ways, replicas, RATES);
      learn(job, replicas);
      requireFrozen(job);

      LockStepJob rescaled = job.restored(2, RATES);
      learn(rescaled, 2);
      requireFrozen(rescaled);
    }
  }

  /** A drift changes local steps, minibatches and the older model. */
  @Test
  void staysAsItIsAfterADrift() {
    LockStepJob job = new LockStepJob(initial, ways().toList().get(1), 2, RATES);
    learn(job, 2);

    job.controller().steer(new Steering(1, 0.5, 0.5));
    learn(job, 2);

    requireFrozen(job);
  }

  private void learn(LockStepJob job, int replicas) {
    for (int step = 0; step < STEPS; step++) {
      Minibatch[] minibatches = new Minibatch[replicas];
      Arrays.setAll(minibatches, any -> minibatch());
      job.learn(minibatches);
    }
  }

  private void requireFrozen(LockStepJob job) {
    int length = initial.spec().vectorLength();
    float[] global = new float[length];
    float[] average = initial.vector().clone();
    int from = 0;
    for (GlobalBlock block : job.blocks()) {
      float[] values = block.update().values();
      System.arraycopy(values, 0, global, from, values.length);
      System.arraycopy(block.average(), 0, average, from, block.average().length);
      from += values.length;
    }
    for (LayerDescription layer : layers) {
      if (layer.type().equals("FrozenLayer") || layer.type().equals("FrozenLayerWithBackprop")) {
        requireSame(layer, "global model", global);
        requireSame(layer, "moving average", average);
        for (RecordedModel model : job.models()) {
          float[] values = new float[length];
          model.read(0, values, 0, length);
          requireSame(layer, "replica", values);
        }
      }
    }
    LayerDescription last = layers.get(layers.size() - 1);
    assertThat(of(last, global)).as("what is trained").isNotEqualTo(of(last, initial.vector()));
  }

  private void requireSame(LayerDescription layer, String what, float[] values) {
    assertThat(of(layer, values))
        .as("layer %s of the %s, seed %d", layer.name(), what, seed)
        .containsExactly(of(layer, initial.vector()));
  }

  private static float[] of(LayerDescription layer, float[] values) {
    return Arrays.copyOfRange(values, layer.parameters().from(), layer.parameters().to());
  }

  private Minibatch minibatch() {
    Minibatch minibatch = new Minibatch(SHAPE, 8);
    for (int row = 0; row < 8; row++) {
      float[] features = new float[SHAPE.features()];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) random.nextGaussian();
      }
      float[] labels = new float[SHAPE.outputs()];
      labels[random.nextInt(labels.length)] = 1;
      minibatch.add(features, labels, 1, new Partition("t", 0), row);
    }
    return minibatch;
  }

  /** With a penalty on weights, which frozen ones must not have. */
  private static String network() {
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(new Adam(0.01))
        .l2(0.1)
        .weightDecay(0.1)
        .list()
        .layer(new FrozenLayer(dense(6, 9)))
        .layer(new FrozenLayer(new BatchNormalization.Builder().nIn(9).nOut(9).build()))
        .layer(dense(9, 8))
        .layer(new FrozenLayerWithBackprop(dense(8, 7)))
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(7)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build())
        .build()
        .toJson();
  }

  private static DenseLayer dense(int in, int out) {
    return new DenseLayer.Builder().nIn(in).nOut(out).activation(Activation.TANH).build();
  }
}
