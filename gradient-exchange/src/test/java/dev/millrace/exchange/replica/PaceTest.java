package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.features.FeatureStatistics;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

  private long time;

  @Test
  void nobodyTrainsBeforeTheFirstHead() {
    Pace pace = pace(Schedule.every(1, false));
    assertThat(pace.mayTrain(true, 0)).isFalse();

    pace.accept(head(1, 1, false));

    assertThat(pace.mayTrain(true, 0)).isTrue();
  }

  @Test
  void onlyAScheduleThatWaitsHoldsBackWhoIsNotReleased() {
    Pace waiting = pace(Schedule.every(1, true));
    Pace overlapping = pace(Schedule.every(1, false));
    waiting.accept(head(1, 1, false));
    overlapping.accept(head(1, 1, false));

    assertThat(waiting.mayTrain(false, 0)).isFalse();
    assertThat(overlapping.mayTrain(false, 0)).isTrue();
  }

  @Test
  void whoIsNotReleasedMakesTheStepsOfTheDelay() {
    Pace pace = pace(Schedule.every(4, true).delayed(2));
    pace.accept(head(1, 4, false));

    assertThat(pace.mayTrain(false, 1)).isTrue();
    assertThat(pace.mayTrain(false, 2)).isFalse();
    assertThat(pace.mayTrain(true, 2)).isTrue();
  }

  @Test
  void aDelayIsShorterThanTheStepsToTheNextContribution() {
    Pace pace = pace(Schedule.every(4, true).delayed(2).afterWarmUp(3));
    pace.accept(head(1, 1, false));

    assertThat(pace.delay()).isZero();
  }

  @Test
  void asManyLocalStepsAreEnoughAsTheNewestHeadSays() {
    Pace pace = pace(Schedule.every(3, true));
    pace.accept(head(1, 3, false));
    assertThat(pace.isEnough(2)).isFalse();
    assertThat(pace.isEnough(3)).isTrue();

    pace.accept(head(2, 2, false));

    assertThat(pace.isEnough(2)).isTrue();
  }

  @Test
  void theIntervalIsEnoughWhateverTheSteps() {
    Pace pace = pace(Schedule.every(Duration.ofNanos(10), true));
    pace.accept(head(1, 100, false));
    time = 9;
    assertThat(pace.isEnough(1)).isFalse();

    time = 10;

    assertThat(pace.isEnough(1)).isTrue();
  }

  @Test
  void anOlderHeadDoesNotTakeTheRoundBack() {
    Pace pace = pace(Schedule.every(1, true));
    pace.accept(head(5, 1, true));
    pace.accept(head(4, 1, true));

    assertThat(pace.round()).isEqualTo(5);
    assertThat(pace.hasEnded()).isTrue();
  }

  private Pace pace(Schedule schedule) {
    return new Pace(schedule, new PhaseClock(() -> time));
  }

  private static RoundHead head(long round, int localSteps, boolean ended) {
    return new RoundHead(round, JobProgress.NONE, 0, new FeatureStatistics(0), localSteps, ended);
  }
}
