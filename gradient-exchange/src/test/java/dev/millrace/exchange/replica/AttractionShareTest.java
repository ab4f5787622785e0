package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * All replicas together go back to the older model as one alone would. There are three, and two
 * have something to read.
 */
class AttractionShareTest {

  private static final BlockLayout LAYOUT = TestReplicas.INITIAL.spec().layout(3, true);

  @Test
  void whereChangesAreAveragedEachGoesTheWholeWay() {
    assertThat(afterAStep(false)).containsExactly(1, 2, 1, 2);
  }

  @Test
  void whereChangesAddUpEachOfTwoGoesHalfTheWay() {
    assertThat(afterAStep(true)).containsExactly(1.5f, 3, 1.5f, 3);
  }

  /** From ones, by a step to 2 and 4, and back towards zeros. */
  private static float[] afterAStep(boolean changesAddUp) {
    ModelReplica model =
        ModelEngine.named(SummingEngine.NAME)
            .build(TestReplicas.INITIAL.spec(), DeviceRequest.any());
    OlderModelPenalty penalty = new OlderModelPenalty(Moment.INITIAL, 1, 0.5, 0, 0);
    Replica replica =
        new Replica(
            0,
            model,
            LAYOUT,
            new ReplicaRules(
                Schedule.every(1, true),
                ContributionCodecs.EXACT,
                false,
                changesAddUp,
                new ContributionGuard(10)),
            new JobShare(2, 1, RateFactors.NONE),
            new ReplicaHooks(
                List.of(
                    penalty.hook(new HookContext(0, 3, 2, model, changesAddUp, HookPort.NONE)))),
            () -> 0);
    replica.begin(TestReplicas.INITIAL);
    TestReplicas.tellRound(replica, 1, 0, 0);
    TestReplicas.learn(replica, 3);
    float[] values = new float[4];
    model.read(0, values, 0, 4);
    return values;
  }
}
