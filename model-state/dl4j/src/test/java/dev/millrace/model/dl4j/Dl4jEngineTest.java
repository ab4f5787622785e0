package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Dl4jEngineTest {

  private static final ExampleShape TWELVE_TO_FIVE = new ExampleShape(12, 5, Target.CLASSIFICATION);

  @TempDir private Path directory;

  private final ModelEngine engine = new Dl4jEngine();

  @Test
  void isFoundByName() {
    assertThat(ModelEngine.named("dl4j").name()).isEqualTo("dl4j");
    assertThat(ServiceLoader.load(ModelEngine.class))
        .anySatisfy(found -> assertThat(found).isInstanceOf(Dl4jEngine.class));
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void builtInNetworksGiveWhatTheTargetAsksFor(Target target) {
    ExampleShape shape = new ExampleShape(4, 3, target);
    InitialModel model = engine.define(TestNetworks.builtIn("mlp", shape, List.of(8), "adam"));
    float[] predictions = new float[3];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.predict(TestNetworks.features(shape, new Random(1)), 1, predictions);
    }
    float sum = predictions[0] + predictions[1] + predictions[2];
    switch (target) {
      case CLASSIFICATION -> assertThat(sum).isBetween(0.999f, 1.001f);
      case MULTI_LABEL -> assertThat(predictions).doesNotContain(0, 1).hasSize(3);
      case REGRESSION -> assertThat(Math.abs(sum - 1)).isGreaterThan(0.001f);
    }
  }

  @ParameterizedTest
  @CsvSource({"sgd, 0", "nesterovs, 1", "adam, 2", "rmsprop, 1", "adagrad, 1"})
  void updatersHaveTheirState(String updater, int partsOfState) {
    InitialModel model =
        engine.define(TestNetworks.builtIn("linear", TWELVE_TO_FIVE, List.of(), updater));

    assertThat(model.spec().parameters()).isEqualTo(12 * 5 + 5);
    assertThat(model.spec().updaterState()).isEqualTo(partsOfState * (12 * 5 + 5));
  }

  @Test
  void momentumIsAdamsFirstDecay() {
    BuiltIn without =
        new BuiltIn("linear", TWELVE_TO_FIVE, List.of(), List.of(), "adam", 0.01, 0, 0, 1);

    assertThat(engine.define(without).spec().configuration())
        .contains("\"beta1\" : 0.0", "\"beta2\" : 0.999");
    assertThat(
            engine
                .define(TestNetworks.builtIn("linear", TWELVE_TO_FIVE, List.of(), "adam"))
                .spec()
                .configuration())
        .contains("\"beta1\" : 0.9");
  }

  @Test
  void embeddingsTakeIds() throws IOException {
    ExampleShape shape = new ExampleShape(1, 3, Target.CLASSIFICATION);
    InitialModel embedding = TestNetworks.define(TestNetworks.embeddingJson(), shape, directory);

    assertThat(engine.takesIds(embedding.spec())).isTrue();
    assertThat(engine.takesIds(engine.define(TestNetworks.mlp()).spec())).isFalse();
  }

  /** 0 included, which libnd4j would draw from the clock for. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1})
  void aSeedGivesTheSameWeightsEachTime(long seed) {
    BuiltIn linear =
        new BuiltIn("linear", TWELVE_TO_FIVE, List.of(), List.of(), "sgd", 0.1, 0, 0, seed);

    assertThat(engine.define(linear).vector()).isEqualTo(engine.define(linear).vector());
  }

  @Test
  void lenetIsTheKnownOne() {
    assertThat(engine.define(TestNetworks.lenet()).spec().parameters())
        .isEqualTo(20 * 25 + 20 + 50 * 20 * 25 + 50 + 800 * 500 + 500 + 500 * 10 + 10);
  }

  @Test
  void lenetTakesImagesOfAnySize() {
    ExampleShape shape = new ExampleShape(20 * 24 * 3, 4, Target.CLASSIFICATION);

    InitialModel model =
        engine.define(
            new BuiltIn("lenet", shape, List.of(), List.of(20, 24, 3), "sgd", 0.1, 0, 0, 1));

    assertThat(model.spec().shape()).isEqualTo(shape);
  }

  @Test
  void theSeedDecidesTheWeights() {
    float[] first = engine.define(TestNetworks.mlp()).vector();

    assertThat(engine.define(TestNetworks.mlp()).vector()).isEqualTo(first);
    assertThat(
            engine
                .define(
                    new BuiltIn(
                        "mlp", TWELVE_TO_FIVE, List.of(16, 8), List.of(), "adam", 0.01, 0, 0, 43))
                .vector())
        .isNotEqualTo(first);
  }
}
