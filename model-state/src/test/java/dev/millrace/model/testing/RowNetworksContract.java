package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.Steps;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.freeze.FrozenLayers;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Built-in networks for rows of embedding tables: they compute what {@link RowFormulas} does. */
public abstract class RowNetworksContract extends EngineContract {

  private static final List<Integer> HIDDEN = List.of(6, 5);
  private static final int ROWS = 7;

  /** How many features' gradients are looked at. */
  private static final int FEATURES = 30;

  /** A number, two rows of 3 values, two numbers, a row of 4 values, a row of 3. */
  static ExampleShape shape(int outputs, Target target) {
    return RowShapes.of(
        16,
        outputs,
        target,
        new IndexRange(1, 4),
        new IndexRange(4, 7),
        new IndexRange(9, 13),
        new IndexRange(13, 16));
  }

  static Stream<Arguments> networks() {
    Stream<Arguments> ofRows =
        Stream.of("deepfm", "wide-deep", "dcn")
            .flatMap(
                name ->
                    Stream.of(
                            shape(2, Target.CLASSIFICATION),
                            shape(3, Target.CLASSIFICATION),
                            shape(1, Target.MULTI_LABEL),
                            shape(2, Target.REGRESSION),
                            RowShapes.rowsAlone(1),
                            // A single row.
                            RowShapes.of(5, 1, Target.REGRESSION, new IndexRange(2, 5)))
                        .map(shape -> Arguments.of(name, shape)));
    Stream<Arguments> towers =
        Stream.of(
                RowShapes.towers(2, Target.CLASSIFICATION),
                RowShapes.towers(3, Target.CLASSIFICATION),
                RowShapes.towers(1, Target.MULTI_LABEL),
                RowShapes.towers(1, Target.REGRESSION))
            .map(shape -> Arguments.of("two-tower", shape));
    return Stream.concat(ofRows, towers);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void theyComputeTheirFormulas(String name, ExampleShape shape) {
    Random random = random(name);
    InitialModel model = builtIn(name, shape, HIDDEN, "sgd");
    float[] vector = moved(model, random);
    List<LayerDescription> layers =
        engine().describe(model.spec().kind(), model.spec().configuration());
    Minibatch minibatch = examples(shape, random);
    try (ModelReplica replica = replica(model)) {
      replica.write(0, vector, 0, vector.length);
      float[] predictions = Replicas.predict(replica, minibatch);
      float[] whileLearning = Replicas.fit(replica, minibatch);

      for (int row = 0; row < ROWS; row++) {
        int features = shape.features();
        float[] own =
            Arrays.copyOfRange(minibatch.features(), row * features, (row + 1) * features);
        double[] expected =
            new RowFormulas(shape, layers, vector, HIDDEN.size()).predict(name, own);
        for (int output = 0; output < shape.outputs(); output++) {
          int at = row * shape.outputs() + output;
          double near = 1e-4 * Math.max(1, Math.abs(expected[output]));
          assertThat((double) predictions[at]).isCloseTo(expected[output], within(near));
          assertThat(whileLearning[at]).isCloseTo(predictions[at], within(1e-5f));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void gradientsOfRowsAreThoseOfTheLoss(String name, ExampleShape shape) {
    Random random = random(name);
    InitialModel model = builtIn(name, shape, HIDDEN, "sgd");
    assertThat(engine().givesInputGradients(model.spec())).isTrue();
    Minibatch minibatch = examples(shape, random);
    float[] vector = moved(model, random);
    try (ModelReplica replica = replica(model)) {
      replica.write(0, vector, 0, vector.length);
      InputGradients.verify(replica, minibatch, RowNetworksContract::loss, FEATURES, random);
    }
  }

  /** DL4J's squared error is a sum over outputs, and PyTorch's a mean: both of one output here. */
  private static double loss(Minibatch minibatch, float[] predictions, int row) {
    ExampleShape shape = minibatch.shape();
    int outputs = shape.outputs();
    double sum = 0;
    for (int i = row * outputs; i < (row + 1) * outputs; i++) {
      double label = minibatch.labels()[i];
      double predicted = predictions[i];
      sum +=
          switch (shape.target()) {
            case CLASSIFICATION -> -label * Math.log(predicted);
            case MULTI_LABEL ->
                -label * Math.log(predicted) - (1 - label) * Math.log(1 - predicted);
            case REGRESSION -> (predicted - label) * (predicted - label) / outputs;
          };
    }
    return sum;
  }

  private static Random random(String test) {
    long seed = Seeds.next();
    System.out.printf("%s: seed %s%n", test, seed);
    return new Random(seed);
  }

  /** Of small features: of large ones probabilities would be 0 and 1, and losses have no slope. */
  private static Minibatch examples(ExampleShape shape, Random random) {
    Minibatch minibatch = Replicas.examples(shape, ROWS, random);
    for (int i = 0; i < ROWS * shape.features(); i++) {
      minibatch.features()[i] *= 0.5f;
    }
    return minibatch;
  }

  /** Biases begin with 0, which would hide their places. */
  private static float[] moved(InitialModel model, Random random) {
    float[] vector = model.vector().clone();
    for (int i = 0; i < model.spec().parameters(); i++) {
      vector[i] += (float) (0.1 * random.nextGaussian());
    }
    return vector;
  }

  @ParameterizedTest
  @MethodSource("networks")
  void aSeedMakesTheSameModel(String name, ExampleShape shape) {
    float[] vector = builtIn(name, shape, HIDDEN, "adam").vector();

    assertThat(builtIn(name, shape, HIDDEN, "adam").vector()).isEqualTo(vector);
  }

  /** The sum of first values, and the interactions behind it. */
  @Test
  void scoresCountFromTheStart() {
    assertThat(lastWeights("deepfm", shape(2, Target.CLASSIFICATION), 2))
        .containsExactly(-0.5f, -0.5f, 0.5f, 0.5f);
    assertThat(lastWeights("deepfm", shape(1, Target.MULTI_LABEL), 2)).containsExactly(1, 1);
    assertThat(lastWeights("wide-deep", shape(2, Target.CLASSIFICATION), 1))
        .containsExactly(-0.5f, 0.5f);
    assertThat(lastWeights("two-tower", RowShapes.towers(2, Target.CLASSIFICATION), 1))
        .containsExactly(-0.5f, 0.5f);
    assertThat(lastWeights("deepfm", shape(3, Target.CLASSIFICATION), 2)).doesNotHaveDuplicates();
  }

  /** Returns the last weights of each output. */
  private float[] lastWeights(String name, ExampleShape shape, int count) {
    InitialModel model = builtIn(name, shape, HIDDEN, "adam");
    List<LayerDescription> layers =
        engine().describe(model.spec().kind(), model.spec().configuration());
    LayerDescription output = layers.get(layers.size() - 1);
    assertThat(output.name()).isEqualTo("output");
    int inputs = output.parameters().length() / shape.outputs() - 1;
    float[] weights = new float[shape.outputs() * count];
    for (int i = 0; i < shape.outputs(); i++) {
      int end = output.parameters().from() + (i + 1) * inputs;
      System.arraycopy(model.vector(), end - count, weights, i * count, count);
    }
    return weights;
  }

  /** Pairs that are alike or not decide the class: no sum of numbers of the rows does. */
  @Test
  void interactionsAreLearned() {
    Random random = new Random(11);
    ExampleShape shape =
        RowShapes.of(10, 2, Target.CLASSIFICATION, new IndexRange(0, 5), new IndexRange(5, 10));
    InitialModel model = builtIn("deepfm", shape, List.of(4), "adam");
    float[][] rows = new float[6][10];
    for (float[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) (0.3 * random.nextGaussian());
      }
    }
    double first = 0;
    double last = 0;
    try (ModelReplica replica = replica(model)) {
      for (int step = 0; step < 300; step++) {
        double loss = step(replica, shape, rows);
        first = step == 0 ? loss : first;
        last = loss;
      }
    }
    assertThat(last).isLessThan(0.05).isLessThan(first / 5);
  }

  /** Learns all 36 pairs of two ids each with six rows, and the rows by plain steps. */
  private static double step(ModelReplica replica, ExampleShape shape, float[][] rows) {
    Minibatch minibatch = new Minibatch(shape, rows.length * rows.length);
    for (int user = 0; user < rows.length; user++) {
      for (int item = 0; item < rows.length; item++) {
        float[] features = new float[10];
        System.arraycopy(rows[user], 0, features, 0, 5);
        System.arraycopy(rows[item], 5, features, 5, 5);
        float[] labels = new float[2];
        labels[(user + item) % 3 == 0 ? 1 : 0] = 1;
        minibatch.add(features, labels, 1, Replicas.PARTITION, 0);
      }
    }
    float[] predictions = new float[minibatch.size() * 2];
    float[] gradients = InputGradients.fit(replica, minibatch, predictions);
    double loss = 0;
    for (int row = 0; row < minibatch.size(); row++) {
      loss += loss(minibatch, predictions, row) / minibatch.size();
      for (int i = 0; i < 10; i++) {
        rows[i < 5 ? row / rows.length : row % rows.length][i] -= 5 * gradients[row * 10 + i];
      }
    }
    return loss;
  }

  @Test
  void examplesThatTheyAreNotForAreRefused() {
    for (String name : List.of("deepfm", "wide-deep", "dcn")) {
      refused(name, TABLE, HIDDEN, "no field has the kind id or ids; give such a field, or take");
      refused(name, shape(2, Target.CLASSIFICATION), List.of(), "give one or more sizes above 0");
      refused(name, shape(2, Target.CLASSIFICATION), List.of(4, 0), "the sizes [4, 0]");
    }
    refused(
        "deepfm",
        RowShapes.of(3, 2, Target.CLASSIFICATION, new IndexRange(1, 2)),
        HIDDEN,
        "rows of at least 2 values, and those of the field \"id1\" have 1; give the field a larger");
  }

  @Test
  void twoTowersAreOfTwoInputs() {
    refused(
        "two-tower",
        shape(2, Target.CLASSIFICATION),
        HIDDEN,
        "a tower for each of two inputs, and the fields are for none; give each field one, such as");
    ExampleShape two = RowShapes.towers(2, Target.CLASSIFICATION);
    ExampleStructure one =
        new ExampleStructure(
            0, false, List.of(new Input("user", new IndexRange(0, two.features()))), List.of());
    refused(
        "two-tower",
        new ExampleShape(two.features(), 2, Target.CLASSIFICATION, two.columns(), one),
        HIDDEN,
        "the fields are for [user]");
    refused("two-tower", two, List.of(), "give one or more sizes above 0");
  }

  private void refused(String name, ExampleShape shape, List<Integer> hidden, String why) {
    assertThatThrownBy(() -> builtIn(name, shape, hidden, "adam"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("The network " + name)
        .hasMessageContaining(why);
    assertThatThrownBy(
            () ->
                engine()
                    .define(
                        new BuiltIn(
                            name,
                            shape(2, Target.CLASSIFICATION),
                            HIDDEN,
                            List.of(4, 4, 1),
                            "adam",
                            0.01,
                            0.9,
                            0,
                            1)))
        .hasMessageContaining("no use for an image size");
  }

  @ParameterizedTest
  @MethodSource("networks")
  void anArchiveHasAllOfThem(String name, ExampleShape shape, @TempDir Path directory)
      throws Exception {
    Random random = random(name);
    InitialModel model = builtIn(name, shape, HIDDEN, "adam");
    Minibatch minibatch = examples(shape, random);
    Path file = directory.resolve("model");
    try (ModelReplica replica = replica(model)) {
      Replicas.fit(replica, minibatch);
      GlobalModel learned =
          new GlobalModel(
              replica.spec(),
              new ModelVersion(1, 2),
              1,
              Replicas.vector(replica),
              LearnedFeatures.none(shape, false),
              new Ledger(),
              Measures.NONE,
              Lineage.NONE,
              ServerOptimizerState.NONE,
              false);
      engine().writeArchive(learned, Optional.empty(), file);
      InitialModel back = engine().define(new Archive(file, shape));
      assertThat(back.spec()).isEqualTo(model.spec());
      try (ModelReplica again = replica(back)) {
        assertThat(Replicas.fit(again, minibatch)).isEqualTo(Replicas.fit(replica, minibatch));
        assertThat(Replicas.vector(again)).isEqualTo(Replicas.vector(replica));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void frozenLayersStay(String name, ExampleShape shape) {
    Random random = random(name);
    InitialModel model = builtIn(name, shape, HIDDEN, "adam");
    InitialModel frozen =
        new InitialModel(
            FrozenLayers.in(
                engine(), model.spec(), List.of(name.equals("two-tower") ? "first0" : "deep0")),
            model.vector(),
            0,
            null);
    Minibatch minibatch = examples(shape, random);
    try (ModelReplica replica = replica(frozen)) {
      InputGradients.verify(replica, minibatch, RowNetworksContract::loss, FEATURES, random);
      Replicas.fit(replica, minibatch);
      float[] learned = Replicas.vector(replica);
      for (LayerDescription layer :
          engine().describe(model.spec().kind(), model.spec().configuration())) {
        IndexRange range = layer.parameters();
        float[] after = Arrays.copyOfRange(learned, range.from(), range.to());
        float[] before = Arrays.copyOfRange(model.vector(), range.from(), range.to());
        if (Set.of("deep0", "first0").contains(layer.name())) {
          assertThat(after).isEqualTo(before);
        } else if (range.length() > 0) {
          assertThat(after).isNotEqualTo(before);
        }
      }
      assertThat(replica.steps()).isEqualTo(Steps.of(1));
    }
  }
}
