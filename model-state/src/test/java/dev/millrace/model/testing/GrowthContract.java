package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.grow.GrownModel;
import dev.millrace.model.grow.Growth;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model of any engine that grows. */
public abstract class GrowthContract {

  private static final ExampleShape OLD = new ExampleShape(3, 2, Target.CLASSIFICATION);
  private static final ExampleShape WIDER = new ExampleShape(5, 2, Target.CLASSIFICATION);
  private static final ExampleShape MORE = new ExampleShape(5, 3, Target.CLASSIFICATION);

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  /** Returns the engine. */
  protected abstract ModelEngine engine();

  /** Its updater's state moves with it: another few steps make the same of both. */
  @ParameterizedTest
  @ValueSource(strings = {"sgd", "nesterovs", "adam", "rmsprop"})
  void newFeaturesChangeNothingThatIsKnown(String updater) {
    InitialModel old = trained(model("mlp", updater));
    Places places = places(OLD, WIDER, List.of("a", "b"), List.of("a", "b"));
    InitialModel grown = GrownModel.of(engine(), old, places, 1);
    try (ModelReplica before = Replicas.of(engine(), old);
        ModelReplica after = Replicas.of(engine(), grown)) {
      Minibatch asked = examples(10);
      assertThat(Replicas.predict(after, moved(asked, places, 7)))
          .as("seed %s", seed)
          .containsExactly(Replicas.predict(before, asked), within(1e-6f));

      for (int step = 0; step < 3; step++) {
        Minibatch learned = examples(10);
        Replicas.fit(before, learned);
        Replicas.fit(after, moved(learned, places, 0));
      }
      float[] expected = growth(old, grown, places).apply(Replicas.vector(before));
      assertThat(Replicas.vector(after))
          .as("seed %s", seed)
          .containsExactly(expected, within(1e-5f));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "linear"})
  void aNewClassIsNextToImpossibleAndIsLearned(String network) {
    InitialModel old = trained(model(network, "adam"));
    Places places = places(OLD, MORE, List.of("a", "b"), List.of("b", "new", "a"));
    InitialModel grown = GrownModel.of(engine(), old, places, 1);
    try (ModelReplica before = Replicas.of(engine(), old);
        ModelReplica after = Replicas.of(engine(), grown)) {
      Minibatch asked = examples(10);
      float[] known = Replicas.predict(before, asked);
      float[] now = Replicas.predict(after, moved(asked, places, 7));
      for (int row = 0; row < 10; row++) {
        float a = now[row * 3 + 2];
        float b = now[row * 3];
        assertThat(now[row * 3 + 1]).as("seed %s", seed).isLessThan(0.1f);
        assertThat(a / (a + b)).as("seed %s", seed).isEqualTo(known[row * 2], within(1e-6f));
      }

      Minibatch ofNew = new Minibatch(MORE, 10);
      for (int row = 0; row < 10; row++) {
        ofNew.add(new float[] {5, 0, 0, 0, 0}, new float[] {0, 1, 0}, 1, new Partition("t", 0), 0);
      }
      for (int step = 0; step < 200; step++) {
        Replicas.fit(after, ofNew);
      }
      assertThat(Replicas.predict(after, ofNew)[1]).as("seed %s", seed).isGreaterThan(0.5f);
    }
  }

  @Test
  void everyArrayOfTheVectorMovesByTheSameMapping() {
    InitialModel old = trained(model("mlp", "adam"));
    float[] momentum = Arrays.copyOf(old.vector(), old.spec().parameters());
    InitialModel kept =
        new InitialModel(
            old.spec(),
            old.vector(),
            9,
            null,
            new ServerOptimizerState(List.of(momentum, momentum), 4));
    Places places = places(OLD, WIDER, List.of("a", "b"), List.of("a", "b"));

    InitialModel grown = GrownModel.of(engine(), kept, places, 1);

    float[] parameters = Arrays.copyOf(grown.vector(), grown.spec().parameters());
    assertThat(grown.serverOptimizer().slots()).containsExactly(parameters, parameters);
    assertThat(grown.serverOptimizer().rounds()).isEqualTo(4);
    assertThat(grown.iteration()).isEqualTo(9);
  }

  @Test
  void convolutionsAreRefused() {
    ExampleShape image = new ExampleShape(784, 2, Target.CLASSIFICATION);
    InitialModel lenet =
        engine().define(new BuiltIn("lenet", image, List.of(), List.of(), "sgd", 0.1, 0.9, 0, 1));
    ExampleShape larger = new ExampleShape(785, 2, Target.CLASSIFICATION);

    assertThatThrownBy(() -> engine().resized(lenet.spec(), larger, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("can't grow", "first layer", "Train a new model");
  }

  /** The layers before it keep values and updater state, and so learn as they would have. */
  @ParameterizedTest
  @ValueSource(strings = {"mlp", "linear", "lenet"})
  void aNewLastLayerTakesThePlaceOfTheOld(String network) {
    boolean images = network.equals("lenet");
    ExampleShape before = new ExampleShape(images ? 784 : 3, 2, Target.CLASSIFICATION);
    ExampleShape after = new ExampleShape(before.features(), 4, Target.CLASSIFICATION);
    InitialModel old = trained(model(network, "adam", before));
    Places places = new Places(all(before.features()), none(4), before, after);

    InitialModel one = GrownModel.of(engine(), old, places, 1);
    InitialModel same = GrownModel.of(engine(), old, places, 1);
    InitialModel other = GrownModel.of(engine(), old, places, 2);

    assertThat(one.vector()).isEqualTo(same.vector()).isNotEqualTo(other.vector());
    assertThat(one.iteration()).isEqualTo(old.iteration());
    float[] known = engine().resized(old.spec(), after, 1).vector();
    VectorLayout layout = engine().layout(one.spec());
    VectorLayout oldLayout = engine().layout(old.spec());
    for (int i = 0; i < layout.tensors().size(); i++) {
      VectorLayout.Tensor tensor = layout.tensors().get(i);
      int from = oldLayout.tensors().get(i).from();
      int length = tensor.rows() * tensor.columns();
      assertThat(Arrays.copyOfRange(one.vector(), tensor.from(), tensor.from() + length))
          .as("%s, seed %s", tensor.name(), seed)
          .isEqualTo(
              tensor.givesOutputs()
                  ? Arrays.copyOfRange(known, tensor.from(), tensor.from() + length)
                  : Arrays.copyOfRange(old.vector(), from, from + length));
    }
    float[] marked = new float[old.vector().length];
    Arrays.fill(marked, old.spec().parameters(), marked.length, 1);
    float[] moved = growth(old, one, places).apply(marked);
    float[] counts = new float[2];
    for (int i = one.spec().parameters(); i < moved.length; i++) {
      counts[(int) moved[i]]++;
    }
    int ofOutputs =
        layout.tensors().stream()
            .filter(VectorLayout.Tensor::givesOutputs)
            .mapToInt(tensor -> tensor.rows() * tensor.columns())
            .sum();
    assertThat(counts[0]).as("new updater state").isEqualTo(2f * ofOutputs);
    try (ModelReplica replica = Replicas.of(engine(), one)) {
      Replicas.fit(replica, Replicas.examples(after, 10, random));
    }
  }

  private static int[] all(int count) {
    int[] all = new int[count];
    Arrays.setAll(all, i -> i);
    return all;
  }

  private static int[] none(int count) {
    int[] none = new int[count];
    Arrays.fill(none, -1);
    return none;
  }

  private Growth growth(InitialModel old, InitialModel grown, Places places) {
    return GrownModel.growth(engine(), old.spec(), grown.spec(), places);
  }

  /** New features are before, between and behind the known ones, which change places. */
  private static Places places(
      ExampleShape old, ExampleShape shape, List<String> oldOutputs, List<String> outputs) {
    return Places.byName(
        old,
        List.of("x", "y", "z"),
        oldOutputs,
        shape,
        List.of("first", "y", "new", "z", "x"),
        outputs);
  }

  private InitialModel model(String network, String updater) {
    return model(network, updater, OLD);
  }

  private InitialModel model(String network, String updater, ExampleShape shape) {
    return engine()
        .define(
            new BuiltIn(
                network,
                shape,
                network.equals("mlp") ? List.of(6, 4) : List.of(),
                List.of(),
                updater,
                0.02,
                0.9,
                0,
                1));
  }

  private InitialModel trained(InitialModel model) {
    try (ModelReplica replica = Replicas.of(engine(), model)) {
      for (int step = 0; step < 20; step++) {
        Replicas.fit(replica, Replicas.examples(model.spec().shape(), 10, random));
      }
      return new InitialModel(
          model.spec(), Replicas.vector(replica), replica.steps().iteration(), null);
    }
  }

  private Minibatch examples(int rows) {
    return Replicas.examples(OLD, rows, random);
  }

  /** Returns the same examples in the larger shape. */
  private static Minibatch moved(Minibatch old, Places places, float newValue) {
    Minibatch moved = new Minibatch(places.shape(), old.size());
    float[] features = places.features(old.features(), old.size());
    float[] labels = places.labels(old.labels(), old.size());
    int width = places.shape().features();
    int outputs = places.shape().outputs();
    for (int i = 0; i < old.size() * width; i++) {
      if (places.features()[i % width] < 0) {
        features[i] = newValue;
      }
    }
    for (int row = 0; row < old.size(); row++) {
      moved.add(
          Arrays.copyOfRange(features, row * width, (row + 1) * width),
          Arrays.copyOfRange(labels, row * outputs, (row + 1) * outputs),
          1,
          new Partition("t", 0),
          row);
    }
    return moved;
  }
}
