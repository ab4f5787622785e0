package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Learning;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BuiltInModulesTest {

  private static final ExampleShape DIGITS = new ExampleShape(784, 10, Target.CLASSIFICATION);

  @Test
  void lenetHasTheLayersOfItsPaper() {
    InitialModel model = define("lenet", DIGITS, List.of(), List.of(), 7);

    assertThat(layers(model.spec()))
        .extracting(LayerDescription::name, LayerDescription::type, LayerDescription::parameters)
        .containsExactly(
            tuple("conv1", "Conv2d", new IndexRange(0, 520)),
            tuple("conv2", "Conv2d", new IndexRange(520, 25_570)),
            tuple("dense", "Linear", new IndexRange(25_570, 426_070)),
            tuple("output", "Linear", new IndexRange(426_070, 431_080)));
    assertThat(model.spec().updaterState()).isEqualTo(2 * 431_080);
    assertThat(model.spec().nonNegative()).containsExactly(new IndexRange(862_160, 1_293_240));
    assertThat(model.spec().runningStatistics()).isEmpty();
  }

  @Test
  void aColourImageOfAnyShapeIsTaken() {
    InitialModel model =
        define(
            "lenet",
            new ExampleShape(20 * 30 * 3, 4, Target.MULTI_LABEL),
            List.of(),
            List.of(20, 30, 3),
            7);

    assertThat(layers(model.spec()).get(2).parameters().length()).isEqualTo((50 * 2 * 4 + 1) * 500);
  }

  @Test
  void aSeedAlwaysMakesTheSameModelAndAnotherSeedAnother() {
    InitialModel one = mlp(7);

    assertThat(mlp(7).spec()).isEqualTo(one.spec());
    assertThat(mlp(7).vector()).isEqualTo(one.vector());
    assertThat(mlp(8).vector()).isNotEqualTo(one.vector());
    // On any machine.
    assertThat(one.vector()[0]).isEqualTo(FIRST);
  }

  private static final float FIRST = 0.042689353f;

  /** He's for rectified layers, Glorot's for the last. */
  @Test
  void weightsSpreadAsTheirLayersSizesAsk() {
    InitialModel model = mlp(3);
    int hidden = 784 * 100;
    int output = hidden + 100;

    assertThat(deviation(model.vector(), 0, hidden)).isCloseTo(Math.sqrt(2.0 / 784), within(3e-4));
    assertThat(deviation(model.vector(), output, output + 1000))
        .isCloseTo(Math.sqrt(2.0 / 110), within(0.01));
    assertThat(Arrays.copyOfRange(model.vector(), hidden, output)).containsOnly(0);
  }

  @Test
  void aLinearModelIsOneLayer() {
    InitialModel model =
        define("linear", new ExampleShape(8, 2, Target.REGRESSION), List.of(), List.of(), 1);

    assertThat(layers(model.spec())).hasSize(1);
    assertThat(model.spec().parameters()).isEqualTo(18);
  }

  @Test
  void whatTheyCantBeIsRefused() {
    assertRefused("There is no built-in network 'lenett'", "lenett", DIGITS, List.of(), List.of());
    assertRefused(
        "no square one",
        "lenet",
        new ExampleShape(785, 10, Target.CLASSIFICATION),
        List.of(),
        List.of());
    assertRefused("[30, 30, 1]", "lenet", DIGITS, List.of(), List.of(30, 30, 1));
    assertRefused("hidden layer sizes", "lenet", DIGITS, List.of(4), List.of());
    assertRefused("sizes above 0", "mlp", DIGITS, List.of(4, 0), List.of());
    assertRefused("no use for an image size", "linear", DIGITS, List.of(), List.of(28, 28, 1));
  }

  private static void assertRefused(
      String cause, String name, ExampleShape shape, List<Integer> hidden, List<Integer> image) {
    assertThatThrownBy(() -> define(name, shape, hidden, image, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(cause);
  }

  private static InitialModel mlp(long seed) {
    return define("mlp", DIGITS, List.of(100), List.of(), seed);
  }

  private static InitialModel define(
      String name, ExampleShape shape, List<Integer> hidden, List<Integer> image, long seed) {
    return InitialModels.of(new BuiltIn(name, shape, hidden, image, Learning.UNSAID, seed));
  }

  private static List<LayerDescription> layers(ModelSpec spec) {
    return ModuleLayers.of(TorchConfiguration.fromJson(spec.configuration()));
  }

  private static double deviation(float[] values, int from, int to) {
    double squares = 0;
    for (int i = from; i < to; i++) {
      squares += (double) values[i] * values[i];
    }
    return Math.sqrt(squares / (to - from));
  }
}
