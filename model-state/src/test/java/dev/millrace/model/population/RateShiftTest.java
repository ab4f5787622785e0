package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class RateShiftTest {

  private static final double[] RATES = {0.001, 0.01, 0.1};
  private static final double[] HIGHEST = {0, 0, 1};
  private static final double[] LOWEST = {1, 0, 0};

  private final Told told = new Told();

  @Test
  void ratesRiseWhereMembersOfHigherOnesWeighMore() {
    RateShift shift = shift(0.01);

    for (int i = 0; i < 100; i++) {
      shift.follow(HIGHEST);
    }

    // The highest rate is ten times the mean of all: each example moves by a hundredth of that.
    assertThat(shift.values()).containsExactly(new float[] {(float) Math.log(10)}, within(1e-4f));
    assertThat(shift.rates()).containsExactly(new double[] {0.01, 0.1, 1}, within(0.01));
    shift.apply(List.of(told));
    assertThat(told.factors).singleElement().satisfies(one -> near(one, 10, 10));
  }

  @Test
  void ratesFallWhereMembersOfLowerOnesWeighMore() {
    RateShift shift = shift(0.01);
    for (int i = 0; i < 50; i++) {
      shift.follow(LOWEST);
    }
    assertThat(shift.values())
        .containsExactly(new float[] {(float) -Math.log(10) / 2}, within(1e-4f));
  }

  @Test
  void ratesStayWhereBothSidesWeighAlike() {
    RateShift shift = shift(0.1);
    for (int i = 0; i < 100; i++) {
      shift.follow(new double[] {0.3, 0.4, 0.3});
    }
    assertThat(shift.values()[0]).isCloseTo(0, within(1e-4f));
  }

  /** Else one stream that means nothing would lead to rates without any end. */
  @Test
  void ratesAreNeverMoreThanAThousandTimesThoseGiven() {
    RateShift shift = shift(1);
    for (int i = 0; i < 100; i++) {
      shift.follow(HIGHEST);
    }
    assertThat(Math.exp(shift.values()[0])).isCloseTo(1000, within(0.01));
    for (int i = 0; i < 100; i++) {
      shift.follow(LOWEST);
    }
    assertThat(Math.exp(shift.values()[0])).isCloseTo(0.001, within(1e-6));
  }

  /** Whatever was before: the value alone says it, so restored members go on alike. */
  @Test
  void membersHearWhatFollowsFromTheValueAsItIsNow() {
    RateShift shift = shift(0.01);
    shift.scale(2, 3);
    shift.apply(List.of(told));
    shift.apply(List.of(told));
    shift.values()[0] = (float) Math.log(5);
    shift.apply(List.of(told));
    shift.values()[0] += 0.001f;
    shift.apply(List.of(told));

    assertThat(told.factors).hasSize(2);
    near(told.factors.get(0), 2, 3);
    near(told.factors.get(1), 10, 15);
  }

  @Test
  void withoutFollowingMembersHearWhatTheyAreToldBitByBit() {
    RateShift shift = shift(0);
    shift.follow(HIGHEST);
    shift.scale(0.3, 0.7);
    shift.apply(List.of(told));

    assertThat(shift.values()).isEmpty();
    assertThat(shift.rates()).containsExactly(RATES);
    assertThat(told.factors).singleElement().isEqualTo(new double[] {0.3, 0.7});
  }

  private static void near(double[] factors, double proportional, double adaptive) {
    assertThat(factors[0]).isCloseTo(proportional, within(0.01 * proportional));
    assertThat(factors[1]).isCloseTo(adaptive, within(0.01 * adaptive));
  }

  private static RateShift shift(double follow) {
    List<Member> members =
        DoubleStream.of(RATES)
            .mapToObj(
                rate -> new Member("any", "any", "{}", 1, 0, List.of(), List.of(), rate, null))
            .toList();
    return new RateShift(new Population(0.99, 0.5, follow, members));
  }

  /** A member that is told its rates, and does nothing. */
  private static final class Told implements ModelReplica {

    private final List<double[]> factors = new ArrayList<>();

    @Override
    public void scaleLearningRates(double proportional, double adaptive) {
      factors.add(new double[] {proportional, adaptive});
    }

    @Override
    public ModelSpec spec() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void fit(Minibatch minibatch, float[] predictions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void predict(float[] features, int rows, float[] predictions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void read(int from, float[] target, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(int from, float[] source, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Steps steps() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setSteps(Steps steps) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
