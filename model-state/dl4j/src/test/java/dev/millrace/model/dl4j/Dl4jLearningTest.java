package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What users say of learning, as DL4J does it or refuses it. */
final class Dl4jLearningTest {

  private static final ExampleShape CLASSES = new ExampleShape(4, 3, Target.CLASSIFICATION);
  private static final ExampleShape NUMBERS = new ExampleShape(4, 3, Target.REGRESSION);

  private final ModelEngine engine = new Dl4jEngine();
  private Random random;

  @BeforeEach
  void seed(TestInfo test) {
    random = TestNetworks.random(test);
  }

  /** What a test says of learning. */
  private static final class Said {

    private String loss;
    private String updater = "sgd";
    private double rate = 0.1;
    private Schedule schedule;
    private GradientClip clip;
    private Precision precision;

    private Learning learning() {
      return new Learning(
          Optional.ofNullable(loss),
          Optional.ofNullable(updater),
          Optional.of(rate),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.ofNullable(schedule),
          Optional.ofNullable(clip),
          Optional.ofNullable(precision));
    }

    private BuiltIn linear(ExampleShape shape) {
      return new BuiltIn("linear", shape, List.of(), List.of(), learning(), 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"STEP, 9, 0.1", "STEP, 10, 0.02", "STEP, 25, 0.004", "EXPONENTIAL, 5, 0.0447213595"})
  void theRateFallsByTheFactorInSoManySteps(Schedule.Kind kind, int iteration, double rate) {
    Said falling = new Said();
    falling.schedule = new Schedule(kind, 10, 0.2);
    Said constant = new Said();
    constant.rate = rate;
    Minibatch minibatch =
        TestNetworks.examples(engine.define(constant.linear(CLASSES)).spec(), 8, random);

    float[] actual = afterAStep(falling, new Steps(iteration, 0), minibatch);
    float[] expected = afterAStep(constant, new Steps(0, 0), minibatch);

    for (int i = 0; i < expected.length; i++) {
      assertThat(actual[i]).isCloseTo(expected[i], within(1e-7f));
    }
  }

  /** Its gradient's size doesn't grow with the error. */
  @Test
  void theLossOfRegressionIsChosen() {
    Said squares = new Said();
    Said sizes = new Said();
    sizes.loss = "mae";
    InitialModel start = engine.define(sizes.linear(NUMBERS));
    Minibatch minibatch = TestNetworks.examples(start.spec(), 8, random);
    squares.loss = "mse";

    assertThat(afterAStep(squares, new Steps(0, 0), minibatch))
        .isNotEqualTo(afterAStep(sizes, new Steps(0, 0), minibatch));
  }

  @Test
  void whatDl4jHasNotIsRefusedWithTheRemedy() {
    Said cosine = new Said();
    cosine.schedule = new Schedule(Schedule.Kind.COSINE, 10, 1);
    refused(cosine.linear(CLASSES), "schedule 'cosine'", "step or exponential", "torch");
    Said adamw = new Said();
    adamw.updater = "adamw";
    refused(adamw.linear(CLASSES), "updater 'adamw'", "adam with l2", "torch");
    Said clipped = new Said();
    clipped.clip = new GradientClip(5, Double.POSITIVE_INFINITY);
    refused(clipped.linear(CLASSES), "norm 5.0", "gradientNormalization", "torch");
    Said half = new Said();
    half.precision = Precision.BFLOAT16;
    refused(half.linear(CLASSES), "bfloat16", "float32", "torch");
    Said huber = new Said();
    huber.loss = "huber";
    refused(huber.linear(NUMBERS), "'huber'", "mse or mae", "torch");
    Said unsuitable = new Said();
    unsuitable.loss = "mse";
    refused(unsuitable.linear(CLASSES), "'mse'", "cross-entropy");
  }

  /** Their updater's state is in them. */
  @Test
  void archivesLearnAsTheyWereMade() {
    Said said = new Said();
    said.precision = Precision.FLOAT32;

    refused(
        new ModelDefinition.Archive(Path.of("model.zip"), CLASSES, said.learning()),
        "model.zip",
        "the updater sgd, the learning rate 0.1;",
        "leave that out");
  }

  @ParameterizedTest
  @EnumSource(names = {"SHARED", "EXCLUSIVE"})
  void aGpuIsAskedForInVainOnTheCpu(Use use) {
    InitialModel model = engine.define(TestNetworks.mlp());

    assertThatThrownBy(
            () -> engine.build(model.spec(), new DeviceRequest(List.of(), use, Kind.CUDA)))
        .isInstanceOf(UnusableEngineException.class)
        .hasMessageContainingAll(
            use == Use.SHARED ? "(device cuda)" : "(device exclusive)", "CPU", "(auto)");
  }

  @Test
  void theCpuIsThereForThoseThatAskForIt() {
    InitialModel model = engine.define(TestNetworks.mlp());
    DeviceRequest cpu = new DeviceRequest(List.of("0"), Use.SHARED, Kind.CPU, true);

    engine.build(model.spec(), cpu).close();
  }

  /** The parameters then. */
  private float[] afterAStep(Said said, Steps before, Minibatch minibatch) {
    InitialModel model = engine.define(said.linear(minibatch.shape()));
    float[] parameters = new float[model.spec().parameters()];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.setSteps(before);
      replica.fit(minibatch, new float[minibatch.size() * minibatch.shape().outputs()]);
      replica.read(0, parameters, 0, parameters.length);
    }
    return parameters;
  }

  private void refused(ModelDefinition definition, String... parts) {
    assertThatThrownBy(() -> engine.define(definition))
        .isInstanceOf(InvalidModelException.class)
        .message()
        .contains(parts);
  }
}
