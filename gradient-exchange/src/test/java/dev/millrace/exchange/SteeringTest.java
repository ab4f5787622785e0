package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.round.Steering;
import dev.millrace.model.InitialModel;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Replicas follow what the coordinator steers, in the round that it says. */
class SteeringTest {

  private static final InitialModel SUMS = SummingEngine.initial(4);
  private static final RateFactors RATES = new RateFactors(2, 3, 2, 0);

  @Test
  void learningRatesAreMultipliedFromTheNextRoundOnAtAllReplicas() throws IOException {
    LockStepJob job = new LockStepJob(SUMS, 2, RATES);
    job.helm().steer(new Steering(0.5, 0, 0, 1));
    round(job, 2);
    job.helm().steer(new Steering(7, 0, 0, 1));
    round(job, 2);
    LockStepJob restored = job.restored(3, RATES);
    restored.helm().steer(Steering.NONE);
    round(restored, 3);
    round(restored, 3);

    assertThat(job.models())
        .allSatisfy(
            model -> {
              assertThat(model.proportional()).containsExactly(2.0, 2.0, 2.0, 1.0, 1.0, 1.0);
              assertThat(model.adaptive()).containsExactly(3.0, 3.0, 3.0, 1.5, 1.5, 1.5);
            });
    assertThat(restored.models())
        .allSatisfy(
            model ->
                assertThat(model.proportional()).containsExactly(14.0, 14.0, 14.0, 2.0, 2.0, 2.0));
  }

  private static void round(LockStepJob job, int replicas) {
    int[] examples = new int[replicas];
    Arrays.fill(examples, 4);
    for (int step = 0; step < LockStepJob.LOCAL_STEPS; step++) {
      job.learn(examples);
    }
  }
}
