package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.MemberReport;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.WeightedMember;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class PopulationMembersTest {

  private static final List<Member> MEMBERS =
      List.of(
          new Member("any", "any", "{}", 1, 1, List.of(), List.of(), 0.001, 7),
          new Member("any", "any", "{}", 1, 1, List.of(), List.of(), 0.003, null));

  private static final ExampleShape SHAPE = new ExampleShape(1, 1, Target.REGRESSION);
  private static final Offset<Double> TINY = within(1e-5);

  @Test
  void tellsSettingsInForceAndWhatEachMemberCounts() {
    // Two parameters, two losses, a rate shift, two values of updater state.
    float[] vector = {8, 9, 0.2f, 0.1f, (float) Math.log(10), 1, 1};

    List<MemberReport> told = of(new Population(0.9, 0.5, 0.001, MEMBERS), vector);

    assertThat(told).hasSize(2);
    assertThat(told.get(0).learningRate()).isCloseTo(0.01, within(1e-4));
    assertThat(told.get(1).learningRate()).isCloseTo(0.03, within(3e-4));
    assertThat(told.get(0).replay()).isEqualTo(7);
    assertThat(told.get(1).replay()).isNull();
    assertThat(told.get(0).loss()).isEqualTo(0.2f);
    // Their sums of losses are 2 and 1.
    assertThat(told.get(0).weight() / told.get(1).weight()).isCloseTo(Math.exp(-0.5), within(1e-5));
    assertThat(told.get(0).weight() + told.get(1).weight()).isCloseTo(1, within(1e-9));
  }

  /** As of a moving average, which has no updater state. */
  @Test
  void ratesThatStayAreThoseGiven() {
    List<MemberReport> told =
        of(new Population(0.9, 0.5, 0, MEMBERS), new float[] {8, 9, 0.2f, 0.1f});

    assertThat(told).extracting(MemberReport::learningRate).containsExactly(0.001, 0.003);
  }

  @Test
  void allMembersAreModelsOfTheirOwn() {
    ModelSpec spec = new Population(0.9, 0.5, 0, MEMBERS).spec(SHAPE);
    float[] vector = {8, 9, 0.2f, 0.1f, 6, 7};

    List<WeightedMember> models = members().models(spec, vector);

    assertThat(models).extracting(member -> member.spec().engine()).containsExactly("any", "any");
    assertThat(models.get(0).vector()).containsExactly(8, 6);
    assertThat(models.get(1).vector()).containsExactly(9, 7);
    assertThat(models.get(0).weight()).isCloseTo(Math.exp(-0.5) / (1 + Math.exp(-0.5)), TINY);
  }

  @Test
  void theBestMemberIsTheOneThatCountsMost() {
    ModelSpec spec = new Population(0.9, 0.5, 0, MEMBERS).spec(SHAPE);

    assertThat(members().best(spec, new float[] {8, 9, 0.2f, 0.1f}).vector()).containsExactly(9);
    assertThat(members().best(spec, new float[] {8, 9, 0.1f, 0.1f}).vector()).containsExactly(8);
  }

  @Test
  void modelsOfOtherEnginesAreOne() {
    assertThat(ModelMembers.of(SummingEngine.NAME)).isEmpty();
    assertThat(ModelMembers.of("unknown")).isEmpty();
  }

  @Test
  void anEngineThatIsGuardedTellsOfItsMembers() {
    assertThat(ModelEngine.named(PopulationEngine.NAME).members()).isPresent();
  }

  private static List<MemberReport> of(Population population, float[] vector) {
    return members().report(population.toJson(), vector);
  }

  private static ModelMembers members() {
    return ModelMembers.of(PopulationEngine.NAME).orElseThrow();
  }
}
