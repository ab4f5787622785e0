package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerActivations;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.negatives.NegativesReplica;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.InputGradients;
import dev.millrace.model.testing.Replicas;
import dev.millrace.model.testing.RowShapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A population beside its members, each trained alone. */
final class PopulationReplicaTest {

  private static final ExampleShape TABLE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final double DISCOUNT = 0.9;
  private static final double SHARPNESS = 0.5;

  private final List<ModelReplica> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(ModelReplica::close);
  }

  @Test
  void predictsTheMeanOfItsMembersByTheirDiscountedLosses(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.3, 0.0001);
    ModelReplica population = population(models);
    List<ModelReplica> alone = models.stream().map(this::replica).toList();
    double[] losses = new double[models.size()];
    Random random = TestNetworks.random(test);
    for (int step = 0; step < 40; step++) {
      Minibatch minibatch = Replicas.examples(TABLE, 1 + step % 3, random);
      List<float[]> before = alone.stream().map(one -> Replicas.fit(one, minibatch)).toList();

      float[] together = Replicas.fit(population, minibatch);

      assertThat(together).containsExactly(mean(before, losses), within(1e-4f));
      for (int row = 0; row < minibatch.size(); row++) {
        for (int i = 0; i < losses.length; i++) {
          float right = before.get(i)[row * 5 + label(minibatch, row)];
          losses[i] = DISCOUNT * losses[i] - Math.log(Math.max(right, 1e-7));
        }
      }
    }
    double[] weights = weights(losses);
    assertThat(population.memberWeights()).containsExactly(weights, within(1e-3));
    for (int i = 0; i < alone.size(); i++) {
      assertThat(part(population, i)).isEqualTo(Replicas.vector(alone.get(i)));
    }
    Minibatch more = Replicas.examples(TABLE, 4, random);
    List<float[]> each = alone.stream().map(one -> Replicas.predict(one, more)).toList();
    assertThat(Replicas.predict(population, more))
        .containsExactly(mean(each, losses), within(1e-4f));
  }

  /** Each as if it were alone with the rows that it takes, and weighed by the fresh one. */
  @Test
  void membersLearnAsManyReplayedRowsAsTheyAreToldTo(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.01, 0.01);
    List<Member> members = new ArrayList<>();
    Integer[] replay = {0, 2, null};
    for (int i = 0; i < models.size(); i++) {
      members.add(Member.of(models.get(i).spec(), 0.01, replay[i]));
    }
    ModelReplica population =
        population(new Population(DISCOUNT, SHARPNESS, 0, members).begin(models));
    List<ModelReplica> alone = models.stream().map(this::replica).toList();
    Random random = TestNetworks.random(test);
    for (int step = 0; step < 10; step++) {
      Minibatch minibatch = replayed(TABLE, 1, 3, random);

      population.fit(minibatch, new float[4 * 5]);

      assertThat(minibatch.size()).isEqualTo(4);
      for (int i = 0; i < alone.size(); i++) {
        minibatch.show(1 + (replay[i] == null ? 3 : replay[i]));
        alone.get(i).fit(minibatch, new float[4 * 5]);
        minibatch.show(4);
      }
    }
    for (int i = 0; i < alone.size(); i++) {
      assertThat(part(population, i)).isEqualTo(Replicas.vector(alone.get(i)));
    }
  }

  @Test
  void eachMemberLearnsWithNegativesOfTheRowsThatItTakes(TestInfo test) {
    ExampleShape pairs = RowShapes.twoRows(3, 2, Target.CLASSIFICATION);
    List<InitialModel> models =
        List.of(towers(pairs, 0.01), towers(pairs, 0.02), towers(pairs, 0.03));
    List<Member> members = new ArrayList<>();
    for (InitialModel model : models) {
      members.add(Member.of(model.spec(), 0.01, members.size()));
    }
    ModelReplica population =
        population(new Population(DISCOUNT, SHARPNESS, 0, members).begin(models))
            .replaceEach(member -> new NegativesReplica(member, 2));
    List<ModelReplica> alone =
        models.stream()
            .<ModelReplica>map(model -> new NegativesReplica(replica(model), 2))
            .toList();
    Minibatch minibatch = replayed(pairs, 4, 2, TestNetworks.random(test));
    float[] predictions = new float[6 * 2];

    population.fit(minibatch, predictions);

    for (int i = 0; i < alone.size(); i++) {
      minibatch.show(4 + i);
      alone.get(i).fit(minibatch, new float[6 * 2]);
      minibatch.show(6);
      assertThat(part(population, i)).isEqualTo(Replicas.vector(alone.get(i)));
      assertThat(part(population, i)).isNotEqualTo(models.get(i).vector());
    }
    assertThat(predictions[0] + predictions[1]).isCloseTo(1, within(1e-5f));
  }

  /** Of the first members' replayed rows, too, which others don't learn: they have zeros there. */
  @Test
  void gradientsOfInputsAreTheMeanOfTheMembersOwn(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.1, 0.001);
    List<Member> members = new ArrayList<>();
    Integer[] replay = {0, 2, null};
    for (int i = 0; i < models.size(); i++) {
      members.add(Member.of(models.get(i).spec(), 0.01, replay[i]));
    }
    ModelReplica population =
        population(new Population(DISCOUNT, SHARPNESS, 0, members).begin(models));
    ModelReplica silent = population(new Population(DISCOUNT, SHARPNESS, 0, members).begin(models));
    List<ModelReplica> alone = models.stream().map(this::replica).toList();
    assertThat(new PopulationEngine().givesInputGradients(population.spec())).isTrue();
    Random random = TestNetworks.random(test);
    for (int step = 0; step < 10; step++) {
      Minibatch minibatch = replayed(TABLE, 1 + step % 3, 3, random);
      int rows = minibatch.size();
      double[] weights = population.memberWeights();
      float[] predictions = new float[rows * 5];
      float[] expected = new float[rows * 5];

      float[] told = InputGradients.fit(population, minibatch, predictions);

      silent.fit(minibatch, expected);
      assertThat(predictions).isEqualTo(expected);
      assertThat(Replicas.vector(population)).isEqualTo(Replicas.vector(silent));
      float[][] own = new float[alone.size()][rows * 12];
      for (int i = 0; i < alone.size(); i++) {
        minibatch.show(minibatch.fresh() + (replay[i] == null ? 3 : replay[i]));
        alone.get(i).fit(minibatch, new float[rows * 5], own[i]);
        minibatch.show(rows);
      }
      assertThat(told).as("step %s", step).isEqualTo(mean(own, weights));
    }
    assertThat(population.memberWeights()[0]).isNotEqualTo(population.memberWeights()[1]);
  }

  private static float[] mean(float[][] own, double[] weights) {
    float[] mean = new float[own[0].length];
    for (int at = 0; at < mean.length; at++) {
      double sum = 0;
      double total = 0;
      for (int i = 0; i < own.length; i++) {
        sum += weights[i] * own[i][at];
        total += weights[i];
      }
      mean[at] = (float) (sum / total);
    }
    return mean;
  }

  @Test
  void aLostMemberHasNoPartInGradientsOfInputs(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.01, 0.01);
    ModelReplica population = population(models);
    int parameters = models.get(0).spec().parameters();
    float[] lost = new float[parameters];
    Arrays.fill(lost, Float.NaN);
    population.write(parameters, lost, 0, parameters);
    Minibatch minibatch = Replicas.examples(TABLE, 3, TestNetworks.random(test));

    float[] told = InputGradients.fit(population, minibatch, new float[3 * 5]);

    float[][] own = new float[2][];
    for (int i = 0; i < 2; i++) {
      own[i] = InputGradients.fit(replica(models.get(2 * i)), minibatch, new float[3 * 5]);
    }
    assertThat(told).isEqualTo(mean(own, new double[] {1.0 / 3, 1.0 / 3}));
    // Lost to the last.
    population.write(0, lost, 0, parameters);
    population.write(parameters, lost, 0, parameters);
    population.write(2 * parameters, lost, 0, parameters);
    assertThat(InputGradients.fit(population, minibatch, new float[3 * 5])).contains(Float.NaN);
  }

  /** One row is too large for it: what it tells of the other isn't taken either. */
  @Test
  void aMemberThatIsLostByOneRowHasNoPartInThatOfAnother(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.01, 0.01);
    ModelReplica population = population(models);
    int parameters = models.get(0).spec().parameters();
    float[] large = Arrays.copyOf(models.get(1).vector(), 12 * 16);
    for (int i = 0; i < large.length; i++) {
      large[i] *= 1e20f;
    }
    population.write(parameters, large, 0, large.length);
    Minibatch minibatch = Replicas.examples(TABLE, 2, TestNetworks.random(test));
    Arrays.fill(minibatch.features(), 0, 12, 1e20f);

    float[] told = InputGradients.fit(population, minibatch, new float[2 * 5]);

    float[][] own = new float[2][];
    for (int i = 0; i < 2; i++) {
      own[i] = InputGradients.fit(replica(models.get(2 * i)), minibatch, new float[2 * 5]);
    }
    assertThat(Arrays.copyOfRange(told, 12, 24))
        .isEqualTo(Arrays.copyOfRange(mean(own, new double[] {1.0 / 3, 1.0 / 3}), 12, 24))
        .doesNotContain(Float.NaN);
    assertThat(population.memberWeights()[1]).isBetween(0.0, 1.0);
  }

  private static InitialModel towers(ExampleShape shape, double rate) {
    return new Dl4jEngine()
        .define(new BuiltIn("two-tower", shape, List.of(5), List.of(), "adam", rate, 0.9, 0, 3));
  }

  @Test
  void tellsGradientsAndUnitsOfEachMember(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.01);
    ModelReplica population = population(models);
    Minibatch minibatch = Replicas.examples(TABLE, 4, TestNetworks.random(test));
    int parameters = models.get(0).spec().parameters();
    float[] gradient = new float[population.spec().parameters()];
    Arrays.fill(gradient, 7);

    population.gradient(minibatch, gradient);

    for (int i = 0; i < models.size(); i++) {
      ModelReplica alone = replica(models.get(i));
      float[] own = new float[parameters];
      alone.gradient(minibatch, own);
      assertThat(Arrays.copyOfRange(gradient, i * parameters, (i + 1) * parameters)).isEqualTo(own);
      List<LayerActivations> units = alone.activations(minibatch);
      assertThat(units).isNotEmpty();
      String prefix = "member-%s.".formatted(i);
      assertThat(population.activations(minibatch))
          .filteredOn(layer -> layer.layer().startsWith(prefix))
          .extracting(LayerActivations::values)
          .containsExactlyElementsOf(units.stream().map(LayerActivations::values).toList());
    }
    assertThat(gradient).endsWith(0, 0);
  }

  private static Minibatch replayed(ExampleShape shape, int fresh, int more, Random random) {
    Minibatch all = Replicas.examples(shape, fresh + more, random);
    Minibatch minibatch = new Minibatch(shape, fresh, more);
    int width = shape.features();
    int outputs = shape.outputs();
    for (int row = 0; row < fresh + more; row++) {
      if (row < fresh) {
        float[] features = Arrays.copyOfRange(all.features(), row * width, row * width + width);
        float[] labels = Arrays.copyOfRange(all.labels(), row * outputs, row * outputs + outputs);
        minibatch.add(features, labels, 1, all.partition(row), row);
      } else {
        minibatch.addReplayed(all.features(), all.labels(), new String[0], row, 0, 1);
      }
    }
    return minibatch;
  }

  private static int label(Minibatch minibatch, int row) {
    int at = 0;
    while (minibatch.labels()[row * 5 + at] == 0) {
      at++;
    }
    return at;
  }

  private static double[] weights(double[] losses) {
    double[] weights = DoubleStream.of(losses).map(loss -> Math.exp(-SHARPNESS * loss)).toArray();
    double sum = DoubleStream.of(weights).sum();
    return DoubleStream.of(weights).map(weight -> weight / sum).toArray();
  }

  private static float[] mean(List<float[]> predictions, double[] losses) {
    double[] weights = weights(losses);
    float[] mean = new float[predictions.get(0).length];
    for (int at = 0; at < mean.length; at++) {
      double sum = 0;
      for (int i = 0; i < weights.length; i++) {
        sum += weights[i] * predictions.get(i)[at];
      }
      mean[at] = (float) sum;
    }
    return mean;
  }

  @Test
  void aMemberThatIsLostGoesOnFromTheBest(TestInfo test) {
    List<InitialModel> models = models(TABLE, 0.01, 0.01, 0.01);
    ModelReplica population = population(models);
    int parameters = models.get(0).spec().parameters();
    float[] lost = new float[parameters];
    Arrays.fill(lost, Float.NaN);
    population.write(parameters, lost, 0, parameters);
    Random random = TestNetworks.random(test);
    Minibatch minibatch = Replicas.examples(TABLE, 2, random);

    for (float prediction : Replicas.predict(population, minibatch)) {
      assertThat(prediction).isBetween(0f, 1f);
    }
    for (float prediction : Replicas.fit(population, minibatch)) {
      assertThat(prediction).isBetween(0f, 1f);
    }

    double[] weights = population.memberWeights();
    int best = weights[0] >= weights[2] ? 0 : 2;
    assertThat(part(population, 1)).isEqualTo(part(population, best));
    assertThat(weights[1]).isEqualTo(weights[best]);
  }

  /** Infinite features are no member's fault. */
  @Test
  void noMemberIsReplacedWhereAllAreLost() {
    List<InitialModel> models = models(TABLE, 0.01, 0.02);
    ModelReplica population = population(models);
    Minibatch minibatch = Replicas.examples(TABLE, 1, new Random(1));
    Arrays.fill(minibatch.features(), Float.NaN);

    Replicas.fit(population, minibatch);

    assertThat(population.memberWeights()).containsExactly(0.5, 0.5);
  }

  @Test
  void lossesAreAveragedAndNeverSteppedNorRoundedBelowZero() {
    InitialModel model = begin(models(TABLE, 0.01, 0.1));
    ModelSpec spec = model.spec();
    IndexRange losses = new IndexRange(spec.parameters() - 2, spec.parameters());

    assertThat(spec.runningStatistics()).containsExactly(losses);
    assertThat(ModelEngine.named(spec.engine()).normalizesBatches(spec)).isFalse();
    assertThat(spec.nonNegative()).contains(losses);
    BlockLayout layout = spec.layout(1 << 20, true);
    assertThat(layout.count()).isEqualTo(2);
    assertThat(layout.runningStatistics(0)).containsExactly(losses);
    // Adam's second moments of each member.
    float[] values = new float[spec.updaterState()];
    float[] before = new float[spec.updaterState()];
    Arrays.fill(values, -1);
    Arrays.fill(before, 1);
    layout.keepNonNegative(1, values, before);
    int kept = 0;
    for (float value : values) {
      kept += value == 0.5f ? 1 : 0;
    }
    assertThat(kept).isEqualTo(spec.updaterState() / 2);
  }

  @Test
  void allRatesFollowTheMembersThatPredictBetter(TestInfo test) {
    double[] rates = {0.00001, 0.001};
    // The same network twice, so that rates alone make the difference.
    List<InitialModel> models =
        List.of(models(TABLE, rates[0]).get(0), models(TABLE, rates[1]).get(0));
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < rates.length; i++) {
      members.add(Member.of(models.get(i).spec(), rates[i], null));
    }
    Population following = new Population(DISCOUNT, SHARPNESS, 0.01, members);
    ModelReplica population = population(following.begin(models));
    ModelReplica staying =
        population(new Population(DISCOUNT, SHARPNESS, 0, members).begin(models));
    Minibatch minibatch = Replicas.examples(TABLE, 4, TestNetworks.random(test));

    for (int step = 0; step < 50; step++) {
      Replicas.fit(population, minibatch);
      Replicas.fit(staying, minibatch);
    }

    double[] inForce = population.memberLearningRates();
    assertThat(inForce[0]).isGreaterThan(0.00002);
    assertThat(inForce[1] / inForce[0]).isCloseTo(100, within(1e-6));
    assertThat(staying.memberLearningRates()).containsExactly(rates);
    assertThat(minOfLoss(population)).isLessThan(minOfLoss(staying));
  }

  /** Losses are behind the members' parameters. */
  private static float minOfLoss(ModelReplica population) {
    Population of = Population.fromJson(population.spec().configuration());
    int from = of.members().size() * of.members().get(0).parameters();
    float[] losses = new float[of.members().size()];
    population.read(from, losses, 0, losses.length);
    return Math.min(losses[0], losses[1]);
  }

  @Test
  void theRateShiftIsAveragedAndMayFallBelowZero() {
    List<InitialModel> models = models(TABLE, 0.01, 0.1);
    List<Member> members =
        models.stream().map(model -> Member.of(model.spec(), 0.01, null)).toList();
    ModelSpec spec = new Population(DISCOUNT, SHARPNESS, 0.01, members).begin(models).spec();
    int shift = spec.parameters() - 1;

    assertThat(spec.runningStatistics()).containsExactly(new IndexRange(shift - 2, shift + 1));
    assertThat(spec.nonNegative()).contains(new IndexRange(shift - 2, shift));
    assertThat(spec.nonNegative()).noneMatch(range -> range.from() <= shift && shift < range.to());
  }

  private static List<InitialModel> models(ExampleShape shape, double... rates) {
    List<InitialModel> models = new ArrayList<>();
    for (double rate : rates) {
      models.add(
          new Dl4jEngine()
              .define(
                  new BuiltIn(
                      "mlp",
                      shape,
                      List.of(16, 8),
                      List.of(),
                      "adam",
                      rate,
                      0.9,
                      0,
                      models.size())));
    }
    return models;
  }

  private static InitialModel begin(List<InitialModel> models) {
    List<Member> members =
        models.stream().map(model -> Member.of(model.spec(), 0.01, null)).toList();
    return new Population(DISCOUNT, SHARPNESS, 0, members).begin(models);
  }

  private ModelReplica population(List<InitialModel> models) {
    return population(begin(models));
  }

  private ModelReplica population(InitialModel model) {
    ModelReplica replica = Replicas.of(new PopulationEngine(), model);
    open.add(replica);
    return replica;
  }

  private ModelReplica replica(InitialModel model) {
    ModelReplica replica = TestNetworks.replica(model);
    open.add(replica);
    return replica;
  }

  /** A member's vector out of the population's: [parameters | losses | updater states]. */
  private static float[] part(ModelReplica population, int member) {
    float[] all = Replicas.vector(population);
    int members = population.memberWeights().length;
    int parameters = (population.spec().parameters() - members) / members;
    int state = population.spec().updaterState() / members;
    float[] part = new float[parameters + state];
    System.arraycopy(all, member * parameters, part, 0, parameters);
    System.arraycopy(all, population.spec().parameters() + member * state, part, parameters, state);
    return part;
  }
}
