package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MemberReportTest {

  private static final List<Member> MEMBERS =
      List.of(
          new Member("any", "any", "{}", 1, 1, List.of(), List.of(), 0.001, 7),
          new Member("any", "any", "{}", 1, 1, List.of(), List.of(), 0.003, null));

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
  void anotherModelHasNone() {
    assertThat(MemberReport.ofOrNull("dl4j", "{}", new float[1])).isNull();
  }

  private static List<MemberReport> of(Population population, float[] vector) {
    return MemberReport.ofOrNull(PopulationEngine.NAME, population.toJson(), vector);
  }
}
