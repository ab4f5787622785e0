package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bias corrections count the steps that the updater's state has seen, wherever that comes from. */
class UpdaterStepsTest {

  private static final ModelSpec SPEC =
      new ModelSpec(
          SummingEngine.NAME,
          "sum",
          "{}",
          new ExampleShape(1, 1, Target.REGRESSION),
          4,
          2,
          List.of());

  private final ModelReplica model =
      ModelEngine.named(SummingEngine.NAME).build(SPEC, DeviceRequest.any());

  @Test
  void aModelWithoutMomentsStartsWithNoStepOfThem() {
    assertThat(UpdaterSteps.of(initial(1, 1, 1, 1, 0, 0))).isEqualTo(new Steps(50, 0));
    assertThat(UpdaterSteps.of(initial(1, 1, 1, 1, 0, 3))).isEqualTo(Steps.of(50));
  }

  @Test
  void aNewReplicaTakesTheStepsOfTheMomentsThatItTakes() {
    Replica replica = replica(SPEC.layout(3, true));

    tell(replica, SPEC.layout(3, true));

    assertThat(model.steps().ofUpdater()).isEqualTo(90);
  }

  @Test
  void aNewReplicaWithMomentsOfItsOwnHasMadeNone() {
    Replica replica = replica(SPEC.layout(3, false));

    tell(replica, SPEC.layout(3, false));

    assertThat(model.steps().ofUpdater()).isZero();
  }

  @Test
  void afterARefusalMomentsOfItsOwnStartAgain() {
    Replica replica = replica(SPEC.layout(3, false));
    tell(replica, SPEC.layout(3, false));
    TestReplicas.learn(replica, 1);
    assertThat(model.steps()).isEqualTo(new Steps(101, 1));
    TestReplicas.learn(replica, Float.NaN);

    assertThat(replica.contribute(sent -> {})).isInstanceOf(Refusal.class);

    assertThat(model.steps()).isEqualTo(new Steps(102, 0));
  }

  /** A replica that waits for no round may train at any moment, also between two of its blocks. */
  @Test
  void updaterStateOfARoundIsTakenInTogether() {
    BlockLayout layout = SPEC.layout(1, true);
    Replica replica = replica(layout);
    tell(replica, layout);

    replica.accept(new BlockUpdate(4, 8, new float[] {3}));
    assertThat(replica.mayTrain()).isTrue();
    assertThat(updaterState()).containsExactly(0, 0);

    replica.accept(new BlockUpdate(5, 8, new float[] {5}));
    assertThat(updaterState()).containsExactly(3, 5);
  }

  private float[] updaterState() {
    float[] state = new float[2];
    model.read(4, state, 0, 2);
    return state;
  }

  private static void tell(Replica replica, BlockLayout layout) {
    replica.accept(
        new RoundHead(7, JobProgress.atStart(100), 90, new FeatureStatistics(0), 1, false),
        Standing.NONE);
    for (int block = 0; block < layout.count(); block++) {
      replica.accept(new BlockUpdate(block, 7, new float[layout.size(block)]));
    }
  }

  private Replica replica(BlockLayout layout) {
    Replica replica =
        new Replica(
            0,
            model,
            layout,
            new ReplicaRules(
                Schedule.every(1, true),
                ContributionCodecs.EXACT,
                false,
                false,
                new ContributionGuard(10)),
            new JobShare(1, 1, RateFactors.NONE),
            ReplicaHooks.NONE,
            () -> 0);
    replica.begin(new InitialModel(SPEC, new float[6], 0, null));
    return replica;
  }

  private static InitialModel initial(float... vector) {
    return new InitialModel(SPEC, vector, 50, null);
  }
}
