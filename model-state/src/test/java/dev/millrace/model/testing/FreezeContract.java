package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.freeze.FrozenLayers;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A model of any engine, some of whose layers are frozen. */
public abstract class FreezeContract {

  private static final double L2 = 0.05;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  /** Returns the engine. */
  protected abstract ModelEngine engine();

  /** The updater has a state that would move them, and there is a penalty on weights. */
  @ParameterizedTest
  @CsvSource({
    "mlp, 0, sgd",
    "mlp, 0, nesterovs",
    "mlp, 1, adam",
    "mlp, 2, adam",
    "mlp, -1, rmsprop",
    "mlp, -1, adagrad",
    "lenet, 0, adam",
    "lenet, -1, nesterovs"
  })
  void staysAsItIsAndTheOthersLearnAsEver(String network, int layer, String updater) {
    InitialModel model = trained(model(network, updater));
    ModelSpec spec = FrozenLayers.in(engine(), model.spec(), List.of(name(model.spec(), layer)));
    try (ModelReplica whole = Replicas.of(engine(), model);
        ModelReplica part = Replicas.of(engine(), with(model, spec))) {
      Minibatch first = examples(spec);
      float[] expected = new float[spec.parameters()];
      float[] gradient = new float[spec.parameters()];
      whole.gradient(first, expected);
      part.gradient(first, gradient);
      assertThat(trainedOf(spec, gradient)).isEqualTo(trainedOf(spec, expected));
      assertThat(frozenOf(spec, gradient)).containsOnly(0f);
      assertThat(Replicas.predict(part, first)).isEqualTo(Replicas.predict(whole, first));

      Replicas.fit(whole, first);
      Replicas.fit(part, first);
      assertThat(trainedOf(spec, Replicas.vector(part)))
          .as("seed %s", seed)
          .isEqualTo(trainedOf(spec, Replicas.vector(whole)));
      for (int step = 0; step < 10; step++) {
        Replicas.fit(part, examples(spec));
      }

      float[] frozen = frozenWithState(spec, Replicas.vector(part));
      assertThat(frozen).as("seed %s", seed).isEqualTo(frozenWithState(spec, model.vector()));
      assertThat(frozenOf(spec, Replicas.vector(whole)))
          .isNotEqualTo(frozenOf(spec, model.vector()));
      assertThat(trainedOf(spec, Replicas.vector(part)))
          .isNotEqualTo(trainedOf(spec, model.vector()));
    }
  }

  @Test
  void learnsOnOnceItIsFrozenNoLonger() {
    InitialModel model = trained(model("mlp", "adam"));
    ModelSpec spec = FrozenLayers.in(engine(), model.spec(), List.of(FrozenLayers.ALL_BUT_OUTPUT));
    float[] vector;
    try (ModelReplica part = Replicas.of(engine(), with(model, spec))) {
      Replicas.fit(part, examples(spec));
      vector = Replicas.vector(part);
    }
    InitialModel later = new InitialModel(model.spec(), vector, model.iteration() + 1, null);
    try (ModelReplica whole = Replicas.of(engine(), later)) {
      Replicas.fit(whole, examples(spec));
      assertThat(frozenOf(spec, Replicas.vector(whole))).isNotEqualTo(frozenOf(spec, vector));
    }
  }

  @Test
  void namesOfLayersAreListedWhereOneIsUnknown() {
    ModelSpec spec = model("mlp", "sgd").spec();
    List<String> names = layers(spec).stream().map(LayerDescription::name).toList();

    assertThatThrownBy(() -> FrozenLayers.in(engine(), spec, List.of(names.get(0), "conv1")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("no layer 'conv1'", names.get(0), names.get(2), "all-but-output");
    assertThatThrownBy(() -> FrozenLayers.in(engine(), spec, names))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("nothing to train");
    assertThat(FrozenLayers.in(engine(), spec, List.of())).isEqualTo(spec);
    assertThat(FrozenLayers.in(engine(), spec, List.of("all-but-output")).frozen().layers())
        .isEqualTo(names.subList(0, names.size() - 1));
    assertThat(FrozenLayers.output(engine(), spec)).isEqualTo(names.get(names.size() - 1));
  }

  private List<LayerDescription> layers(ModelSpec spec) {
    return engine().describe(spec.kind(), spec.configuration()).stream()
        .filter(layer -> layer.parameters().length() > 0)
        .toList();
  }

  private String name(ModelSpec spec, int layer) {
    return layer < 0 ? FrozenLayers.ALL_BUT_OUTPUT : layers(spec).get(layer).name();
  }

  private InitialModel model(String network, String updater) {
    boolean images = network.equals("lenet");
    return engine()
        .define(
            new BuiltIn(
                network,
                new ExampleShape(images ? 784 : 5, 3, Target.CLASSIFICATION),
                images ? List.of() : List.of(7, 6),
                List.of(),
                updater,
                0.02,
                0.9,
                L2,
                1));
  }

  private InitialModel trained(InitialModel model) {
    try (ModelReplica replica = Replicas.of(engine(), model)) {
      for (int step = 0; step < 5; step++) {
        Replicas.fit(replica, examples(model.spec()));
      }
      return new InitialModel(
          model.spec(), Replicas.vector(replica), replica.steps().iteration(), null);
    }
  }

  private static InitialModel with(InitialModel model, ModelSpec spec) {
    return new InitialModel(spec, model.vector(), model.iteration(), null);
  }

  private Minibatch examples(ModelSpec spec) {
    return Replicas.examples(spec.shape(), 8, random);
  }

  private float[] frozenWithState(ModelSpec spec, float[] vector) {
    List<IndexRange> ranges = new ArrayList<>(spec.frozen().parameters());
    for (VectorLayout.State state : engine().layout(spec).state()) {
      spec.frozen().parameters().forEach(range -> ranges.addAll(state.of(range)));
    }
    return of(ranges, vector);
  }

  private static float[] frozenOf(ModelSpec spec, float[] vector) {
    return of(spec.frozen().parameters(), vector);
  }

  /** Parameters alone. */
  private static float[] trainedOf(ModelSpec spec, float[] vector) {
    List<IndexRange> ranges = new ArrayList<>();
    int from = 0;
    for (IndexRange frozen : spec.frozen().parameters()) {
      ranges.add(new IndexRange(from, frozen.from()));
      from = frozen.to();
    }
    ranges.add(new IndexRange(from, spec.parameters()));
    return of(ranges, vector);
  }

  private static float[] of(List<IndexRange> ranges, float[] vector) {
    float[] values = new float[ranges.stream().mapToInt(IndexRange::length).sum()];
    int at = 0;
    for (IndexRange range : ranges) {
      System.arraycopy(vector, range.from(), values, at, range.length());
      at += range.length();
    }
    return values;
  }
}
