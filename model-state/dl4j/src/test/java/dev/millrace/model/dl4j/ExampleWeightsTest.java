package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What the weight of an example does to a step. */
final class ExampleWeightsTest {

  private Random random;

  @BeforeEach
  void seed(TestInfo test) {
    random = TestNetworks.random(test);
  }

  @Test
  void anExampleOfWeightTwoCountsLikeTwoExamples() {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel model =
        new Dl4jEngine()
            .define(new BuiltIn("mlp", shape, List.of(6), List.of(), "sgd", 1, 0, 0, 42));
    float[] features = TestNetworks.features(shape, random);
    float[] others = TestNetworks.features(shape, random);
    float[] labels = TestNetworks.labels(shape, random);
    Minibatch weighted = new Minibatch(shape, 2);
    weighted.add(features, labels, 2, TestNetworks.PARTITION, 0);
    weighted.add(others, labels, 1, TestNetworks.PARTITION, 1);
    Minibatch doubled = new Minibatch(shape, 3);
    doubled.add(features, labels, 1, TestNetworks.PARTITION, 0);
    doubled.add(features, labels, 1, TestNetworks.PARTITION, 1);
    doubled.add(others, labels, 1, TestNetworks.PARTITION, 2);

    float[] byWeight = step(model, weighted);
    float[] byNumber = step(model, doubled);

    // Gradients are divided by the number of examples: two here, three there.
    for (int i = 0; i < byWeight.length; i++) {
      assertThat(byWeight[i] * 2).isCloseTo(byNumber[i] * 3, within(1e-5f));
    }
  }

  @Test
  void weightsDontChangePredictionsAndHoldForTheirStepOnly() {
    InitialModel model = new Dl4jEngine().define(TestNetworks.mlp());
    Minibatch plain = TestNetworks.examples(model.spec(), 1, random);
    Minibatch heavy = new Minibatch(model.spec().shape(), 1);
    heavy.add(plain.features(), plain.labels(), 9, TestNetworks.PARTITION, 0);
    float[] first = new float[5];
    float[] second = new float[5];
    try (ModelReplica one = TestNetworks.replica(model);
        ModelReplica other = TestNetworks.replica(model)) {
      one.fit(heavy, first);
      other.fit(plain, second);
      assertThat(first).isEqualTo(second);
      assertThat(TestNetworks.vector(one)).isNotEqualTo(TestNetworks.vector(other));

      one.write(0, model.vector(), 0, model.vector().length);
      one.setSteps(Steps.NONE);
      one.fit(plain, first);
      assertThat(TestNetworks.vector(one)).isEqualTo(TestNetworks.vector(other));
    }
  }

  /** What one step changes. */
  private static float[] step(InitialModel model, Minibatch minibatch) {
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.fit(minibatch, new float[minibatch.size() * minibatch.shape().outputs()]);
      float[] change = TestNetworks.vector(replica);
      for (int i = 0; i < change.length; i++) {
        change[i] -= model.vector()[i];
      }
      return change;
    }
  }
}
