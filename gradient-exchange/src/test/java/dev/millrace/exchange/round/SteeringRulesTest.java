package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.exchange.drift.ErrorTrace;
import dev.millrace.exchange.drift.FeatureSample;
import dev.millrace.exchange.drift.Finding;
import dev.millrace.exchange.drift.PastLosses;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Partition;
import dev.millrace.model.WordCounts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What follows from the examples of the whole job, its loss, and drifts. Rounds have 10. */
class SteeringRulesTest {

  private static final Partition PARTITION = new Partition("t", 0);
  private static final int OF_ROUND = 10;
  private static final Detection PAGE_HINKLEY =
      new Detection(List.of(Kind.PAGE_HINKLEY), Features.NONE, 0.01, 0.01, 5);

  private Coordinator coordinator;
  private SteeringRules rules;
  private long sequence;
  private PastLosses past = PastLosses.NONE;

  @Test
  void aCycleGoesUpAndDownInStraightLinesAfterAWarmUp() throws IOException {
    begin(
        new SteeringRules(
            Detection.NONE,
            Reactions.NONE,
            new RateCourse(RateCourse.Kind.CYCLE, 20, 100, 0.2, 1, 1, 1),
            0));

    assertThat(rate()).as("a twentieth of the lowest").isCloseTo(0.2 / 20, within(1e-12));
    round(0, 0.5);
    assertThat(rate()).isCloseTo(0.5 * (0.2 + 0.8 * 0.2), within(1e-12));
    rounds(4, 0, 0.5);
    assertThat(rate()).isCloseTo(1, within(1e-12));
    restore();
    rounds(5, 0, 0.5);
    assertThat(rate()).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void aPlateauLowersTheRateDownToTheLeast() throws IOException {
    begin(
        new SteeringRules(
            Detection.NONE,
            Reactions.NONE,
            new RateCourse(RateCourse.Kind.PLATEAU, 0, 2, 0.3, 0.5, 50, 10),
            0));

    rounds(5, 0, 0.5);
    assertThat(rate()).as("the first loss is the best so far").isEqualTo(1);
    restore();
    rounds(1, 0, 0.5);
    assertThat(rate()).isEqualTo(0.5);
    rounds(5, 0, 0.5);
    assertThat(rate()).isEqualTo(0.3);
  }

  @Test
  void afterADriftAPlateauLooksAtNewLossesOnly() throws IOException {
    begin(
        new SteeringRules(
            PAGE_HINKLEY,
            Reactions.NONE,
            new RateCourse(RateCourse.Kind.PLATEAU, 0, 2, 0.25, 0.5, 50, 40),
            0));
    rounds(4, 0, 0.5);
    rounds(1, OF_ROUND, 2);
    assertThat(coordinator.helm().reacted()).isTrue();

    // Losses fall from round to round, and stay above that of before the drift.
    for (int round = 0; round < 12; round++) {
      rounds(1, 0, 2 - 0.1 * round);
      assertThat(rate()).isEqualTo(1);
    }
  }

  @Test
  void aDriftIsFollowedOnceInAPauseAndOnlyForAWhile() throws IOException {
    begin(
        new SteeringRules(
            PAGE_HINKLEY,
            new Reactions(3, 30, true, 0.5, 0.1, 0.4, 0.5, 20, true, true, 0, 0, 200),
            new RateCourse(RateCourse.Kind.PLATEAU, 0, 2, 0.25, 0.5, 50, 10),
            0));
    rounds(10, 0, 0.5);
    assertThat(rate()).isEqualTo(0.5);

    Decision found = round(OF_ROUND, 0.5);

    assertThat(coordinator.helm().found())
        .singleElement()
        .satisfies(drift -> assertThat(drift.after()).isGreaterThan(drift.before()))
        .extracting(Finding::detector)
        .isEqualTo("page-hinkley");
    assertThat(coordinator.helm().publishes()).isTrue();
    assertThat(found.treatment()).as("the model of before").isEqualTo(Treatment.NONE);
    assertThat(coordinator.helm().steering()).isEqualTo(new Steering(3, 1, 1, 0.4, 0.5, 0, false));

    restore();
    Decision next = round(OF_ROUND, 0.5);
    assertThat(next.treatment()).isEqualTo(new Treatment(0.5, 0.1, true, next.round() - 1));
    assertThat(coordinator.helm().publishes()).isFalse();
    rounds(1, OF_ROUND, 0.5);
    assertThat(coordinator.helm().steering()).isEqualTo(new Steering(3, 1, 1, 1));
    rounds(1, OF_ROUND, 0.5);
    assertThat(coordinator.helm().steering()).isEqualTo(new Steering(1, 1, 1, 1));

    rounds(6, 0, 0.5);
    Decision again = round(OF_ROUND, 0.5);
    assertThat(coordinator.helm().found()).as("told within the pause").isNotEmpty();
    assertThat(coordinator.helm().reacted()).isFalse();
    assertThat(again.treatment()).isEqualTo(Treatment.NONE);
  }

  @Test
  void anchorsAreTakenEverySoManyExamples() throws IOException {
    begin(new SteeringRules(Detection.NONE, Reactions.NONE, RateCourse.NONE, 25));

    rounds(2, 0, 0.5);
    assertThat(coordinator.helm().steering().anchors()).isZero();
    restore();
    rounds(1, 0, 0.5);
    assertThat(coordinator.helm().steering().anchors()).isEqualTo(1);
    rounds(3, 0, 0.5);
    assertThat(coordinator.helm().steering().anchors()).isEqualTo(2);
  }

  @Test
  void thePastModelThatFitsBestTakesTheModelsPlaceOnceEnoughIsMeasured() throws IOException {
    begin(returning());
    Decision first = drift();
    assertThat(first.treatment().past()).isEqualTo(PastOrder.keep(1, 3));
    assertThat(coordinator.helm().steering().tries()).as("there is none before").isFalse();
    drift();
    Decision third = drift();
    assertThat(third.treatment().past()).isEqualTo(new PastOrder(3, 1, 0));
    assertThat(coordinator.helm().steering().tries()).isTrue();

    past = new PastLosses(2, 100, 9, Map.of(1, 0.0));
    round(0, 0.5);
    past = new PastLosses(3, 10, 5, Map.of(1, 3.0, 2, 2.0));
    round(0, 0.5);
    assertThat(coordinator.helm().returnedTo()).as("too few of this drift").isEmpty();
    restore();
    past = new PastLosses(3, 10, 5, Map.of(1, 3.0, 2, 2.5));
    round(0, 0.5);
    past = PastLosses.NONE;

    assertThat(coordinator.helm().returnedTo()).hasValue(2);
    assertThat(coordinator.helm().steering()).isEqualTo(new Steering(3, 0, 0, 1, 0.5, 3, false));
    restore();
    assertThat(round(0, 0.5).treatment())
        .isEqualTo(new Treatment(1, 0, true, 0, PastOrder.returnTo(2)));
    assertThat(coordinator.helm().steering())
        .as("updaters start anew, and haste is over")
        .isEqualTo(new Steering(1, 1, 0, 1, 1, 3, false));
    assertThat(round(0, 0.5).treatment()).isEqualTo(Treatment.NONE);
  }

  @Test
  void trainingGoesOnWhereNoPastModelFitsBetter() throws IOException {
    begin(returning());
    drift();
    drift();

    past = new PastLosses(2, 20, 5, Map.of(1, 5.0));
    Decision decided = round(0, 0.5);

    assertThat(coordinator.helm().returnedTo()).isEmpty();
    assertThat(coordinator.helm().steering().tries()).isFalse();
    assertThat(decided.treatment()).isEqualTo(Treatment.NONE);
    past = PastLosses.NONE;
    assertThat(round(0, 0.5).treatment()).isEqualTo(Treatment.NONE);
  }

  private static SteeringRules returning() {
    return new SteeringRules(
        PAGE_HINKLEY,
        new Reactions(3, 1_000, false, 1, 0, 1, 0.5, 1_000, false, false, 3, 20, 0),
        RateCourse.NONE,
        0);
  }

  /** A drift is found; gives the decision of the round after it. */
  private Decision drift() {
    rounds(10, 0, 0.5);
    rounds(1, OF_ROUND, 0.5);
    assertThat(coordinator.helm().reacted()).isTrue();
    return round(0, 0.5);
  }

  private double rate() {
    return coordinator.head(1, false).steering().rate();
  }

  private void rounds(int rounds, int wrong, double loss) {
    for (int round = 0; round < rounds; round++) {
      Decision unused = round(wrong, loss);
    }
  }

  /** A round of one member, of whose examples so many were wrong. */
  private Decision round(int wrong, double loss) {
    Ledger ledger = new Ledger();
    ErrorTrace errors = new ErrorTrace(true);
    for (int example = 0; example < OF_ROUND; example++) {
      ledger.learned(PARTITION, sequence * OF_ROUND + example);
      errors.add(example < wrong ? 1 : 0);
    }
    coordinator.announce(
        new Announcement(
            0,
            ++sequence,
            new ContributionMetadata(
                OF_ROUND,
                1,
                ledger,
                new FeatureStatistics(0),
                new WordCounts(0),
                new Measures(OF_ROUND, OF_ROUND - wrong, loss * OF_ROUND, 0, 0),
                errors,
                new FeatureSample(0),
                past),
            Phases.NONE));
    return coordinator.close(WholeRound.OF_ALL).decisions(1, false).get(0);
  }

  private void begin(SteeringRules by) {
    rules = by;
    coordinator = new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, 1), rules);
    coordinator.hello(new Hello(0, 1, "home"));
  }

  private void restore() throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(saved));
    coordinator =
        Coordinator.read(
            new DataInputStream(new ByteArrayInputStream(saved.toByteArray())), 10, 1, rules);
    coordinator.hello(new Hello(0, 1, "home"));
  }
}
