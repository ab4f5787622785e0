package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.shape.ExampleShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Replicas of sequences and of several arrays, against DL4J's own network. */
final class StructuredReplicaTest {

  private static final int ROWS = 6;
  private static final int FITS = 12;

  @TempDir private static Path directory;

  static Stream<Named<InitialModel>> models() throws Exception {
    List<Named<InitialModel>> models = new ArrayList<>(sequences().toList());
    models.add(named("two inputs", StructuredNetworks.twoInputs(), StructuredNetworks.TWO));
    return models.stream();
  }

  static Stream<Named<InitialModel>> sequences() throws Exception {
    return Stream.of(
        named("last step", StructuredNetworks.lastStep(), StructuredNetworks.LAST),
        named("pooled", StructuredNetworks.bothDirectionsPooled(), StructuredNetworks.LAST),
        named("each step", StructuredNetworks.eachStep(), StructuredNetworks.EACH),
        named("truncated", StructuredNetworks.truncated(3), StructuredNetworks.EACH),
        named("graph", StructuredNetworks.graphOfSteps(), StructuredNetworks.EACH));
  }

  private static Named<InitialModel> named(String name, String json, ExampleShape shape)
      throws Exception {
    return Named.of(name, TestNetworks.define(json, shape, directory));
  }

  @ParameterizedTest
  @MethodSource("models")
  void stepsAreThoseOfThePlainNetwork(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    ModelSpec spec = model.spec();
    PlainStructured plain = new PlainStructured(spec);
    float[] predictions = new float[ROWS * spec.shape().labels()];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      for (int fit = 0; fit < FITS; fit++) {
        // DL4J by itself refuses the mask of one step of one row.
        Minibatch minibatch =
            StructuredNetworks.examples(spec.shape(), 2 + random.nextInt(ROWS - 1), random);
        replica.fit(minibatch, predictions);
        plain.fit(minibatch);
      }

      assertThat(TestNetworks.vector(replica)).containsExactly(plain.vector(), within(1e-6f));
      assertThat(replica.steps()).isEqualTo(new Steps(FITS, plain.iterations()));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void aStepPredictsAsTheModelDoesBeforeIt(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    ExampleShape shape = model.spec().shape();
    try (ModelReplica replica = TestNetworks.replica(model)) {
      for (int rows : new int[] {ROWS, 1, 3, ROWS}) {
        Minibatch minibatch = StructuredNetworks.examples(shape, rows, random);
        float[] before = new float[rows * shape.labels()];
        float[] during = new float[rows * shape.labels()];
        Arrays.fill(before, -7);
        Arrays.fill(during, -7);
        replica.predict(minibatch.features(), minibatch.stepsOrNull(), rows, before);
        // Segments after the first are predicted after a step has been made.
        boolean segmented = model.spec().configuration().contains("TruncatedBPTT");
        float[] vector = TestNetworks.vector(replica);
        replica.fit(minibatch, during);

        assertThat(during).containsExactly(before, within(segmented ? 0.2f : 1e-5f));
        assertThat(TestNetworks.vector(replica)).isNotEqualTo(vector);
        assertThat(before).doesNotContain(-7);
      }
    }
  }

  /** Nothing is masked where there is no such thing as an end. */
  @ParameterizedTest
  @MethodSource("sequences")
  void whatIsBehindTheEndOfASequenceChangesNothing(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    ExampleShape shape = model.spec().shape();
    Minibatch clean = StructuredNetworks.examples(shape, ROWS, random);
    Minibatch dirty = new Minibatch(shape, ROWS);
    for (int row = 0; row < ROWS; row++) {
      float[] features = part(clean.features(), row, shape.features());
      Arrays.fill(features, clean.steps(row) * shape.width(), features.length, 1000);
      float[] labels = part(clean.labels(), row, shape.labels());
      if (shape.structure().labelPerStep()) {
        Arrays.fill(labels, clean.steps(row) * shape.outputs(), labels.length, 1);
      }
      dirty.add(features, labels, new String[0], clean.steps(row), 1, TestNetworks.PARTITION, row);
    }
    float[] one = new float[ROWS * shape.labels()];
    float[] other = new float[ROWS * shape.labels()];
    try (ModelReplica replica = TestNetworks.replica(model);
        ModelReplica second = TestNetworks.replica(model)) {
      replica.predict(clean.features(), clean.stepsOrNull(), ROWS, one);
      second.predict(dirty.features(), dirty.stepsOrNull(), ROWS, other);
      assertThat(other).isEqualTo(one);

      replica.fit(clean, one);
      second.fit(dirty, other);
      assertThat(other).isEqualTo(one);
      assertThat(TestNetworks.vector(second)).isEqualTo(TestNetworks.vector(replica));
    }
  }

  /** The mask does that: the zeros that fill up a short sequence are no steps. */
  @ParameterizedTest
  @MethodSource("sequences")
  void aSequenceIsPredictedAsItIsAlone(InitialModel model, TestInfo test) {
    Random random = TestNetworks.random(test);
    ExampleShape shape = model.spec().shape();
    Minibatch together = StructuredNetworks.examples(shape, ROWS, random);
    float[] all = new float[ROWS * shape.labels()];
    float[] alone = new float[shape.labels()];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.predict(together.features(), together.stepsOrNull(), ROWS, all);
      for (int row = 0; row < ROWS; row++) {
        int[] steps = {together.steps(row)};
        replica.predict(part(together.features(), row, shape.features()), steps, 1, alone);
        assertThat(part(all, row, shape.labels())).containsExactly(alone, within(1e-5f));
        assertThat(ended(alone, shape, steps[0])).containsOnly(0f);
      }
    }
  }

  /** Zeros, with one more that is there where every step is. */
  private static float[] ended(float[] predictions, ExampleShape shape, int steps) {
    return shape.structure().labelPerStep()
        ? Arrays.copyOfRange(predictions, steps * shape.outputs(), predictions.length + 1)
        : new float[1];
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void theShortestSequencesAndRowsThatAreNoneAreFine(InitialModel model) {
    ExampleShape shape = model.spec().shape();
    Minibatch one = new Minibatch(shape, 1);
    float[] labels = new float[shape.labels()];
    labels[1] = 1;
    one.add(new float[shape.features()], labels, new String[0], 1, 0.5f, TestNetworks.PARTITION, 0);
    float[] predictions = new float[2 * shape.labels()];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.fit(one, predictions);
      replica.predict(new float[2 * shape.features()], new int[2], 2, predictions);
      replica.predict(new float[0], new int[0], 0, predictions);

      assertThat(TestNetworks.vector(replica)).doesNotContain(Float.NaN);
      assertThat(predictions).doesNotContain(Float.NaN);
    }
  }

  @Test
  void truncatedBackpropagationIsOneStepOfTheModelAndManyOfItsUpdater() throws Exception {
    InitialModel model =
        TestNetworks.define(StructuredNetworks.truncated(3), StructuredNetworks.EACH, directory);
    Minibatch minibatch = new Minibatch(StructuredNetworks.EACH, 1);
    float[] labels = new float[StructuredNetworks.EACH.labels()];
    minibatch.add(
        new float[StructuredNetworks.EACH.features()], labels, 1, TestNetworks.PARTITION, 0);
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.setSteps(new Steps(100, 40));
      replica.fit(minibatch, new float[labels.length]);

      // Seven steps are three segments.
      assertThat(replica.steps()).isEqualTo(new Steps(101, 43));
    }
  }

  /** A sequence of weight 2 moves the network as far as two of weight 1. */
  @Test
  void theWeightOfASequenceIsThatOfItsSteps(TestInfo test) throws Exception {
    Random random = TestNetworks.random(test);
    String json =
        new NeuralNetConfiguration.Builder()
            .seed(42)
            .updater(new Sgd(0.1))
            .list()
            .layer(new LSTM.Builder().nIn(3).nOut(5).activation(Activation.TANH).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(5)
                    .nOut(4)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build()
            .toJson();
    InitialModel model = TestNetworks.define(json, StructuredNetworks.EACH, directory);
    Minibatch examples = StructuredNetworks.examples(StructuredNetworks.EACH, 2, random);
    // Both have the first twice as often as the second.
    float[] weighted = change(model, rows(examples, new int[] {0, 1}, 2, 1));
    float[] repeated = change(model, rows(examples, new int[] {0, 0, 1}, 1, 1, 1));
    for (int i = 0; i < weighted.length; i++) {
      assertThat(weighted[i] * 2).isCloseTo(repeated[i] * 3, within(1e-4f));
    }
  }

  private static float[] change(InitialModel model, Minibatch minibatch) {
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.fit(minibatch, new float[minibatch.size() * minibatch.shape().labels()]);
      float[] vector = TestNetworks.vector(replica);
      for (int i = 0; i < vector.length; i++) {
        vector[i] -= model.vector()[i];
      }
      return vector;
    }
  }

  private static Minibatch rows(Minibatch from, int[] rows, float... weights) {
    ExampleShape shape = from.shape();
    Minibatch minibatch = new Minibatch(shape, rows.length);
    for (int i = 0; i < rows.length; i++) {
      minibatch.add(
          part(from.features(), rows[i], shape.features()),
          part(from.labels(), rows[i], shape.labels()),
          new String[0],
          from.steps(rows[i]),
          weights[i],
          TestNetworks.PARTITION,
          i);
    }
    return minibatch;
  }

  private static float[] part(float[] rows, int row, int length) {
    return Arrays.copyOfRange(rows, row * length, (row + 1) * length);
  }
}
