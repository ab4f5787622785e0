package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.replay.Replay;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.Steering;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LearnedFeatures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.Target;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Updater state of a replica's own starts anew when the coordinator says so, once. */
class UpdaterResetTest {

  private static final ModelSpec SPEC =
      new ModelSpec(
          SummingEngine.NAME,
          "sum",
          "{}",
          new ExampleShape(1, 1, Target.REGRESSION),
          4,
          2,
          List.of());
  private static final BlockLayout LAYOUT = SPEC.layout(4, false);

  private ModelReplica model = newModel();
  private Replica replica = newReplica();

  @Test
  void stateAndItsStepsStartFromZeroOnce() {
    tell(1, 0);
    learned();
    tell(2, 0);
    assertThat(state()).containsExactly(5, 6);

    tell(3, 1);
    assertThat(state()).containsExactly(0, 0);
    assertThat(model.steps()).isEqualTo(new Steps(9, 0));

    learned();
    tell(4, 1);
    assertThat(state()).containsExactly(5, 6);
    assertThat(model.steps()).isEqualTo(new Steps(9, 9));
  }

  @Test
  void aRestoredReplicaKnowsWhatItHasFollowed() throws IOException {
    tell(1, 2);
    learned();
    Replica before = replica;
    model = newModel();
    replica = newReplica();
    TestReplicas.restore(replica, before);

    tell(2, 2);
    assertThat(state()).containsExactly(5, 6);
    tell(3, 3);
    assertThat(state()).containsExactly(0, 0);
  }

  @Test
  void parametersStayAsTheyAre() {
    tell(1, 0);
    model.write(0, new float[] {1, 2, 3, 4}, 0, 4);

    tell(2, 1);

    float[] parameters = new float[4];
    model.read(0, parameters, 0, 4);
    assertThat(parameters).containsExactly(1, 2, 3, 4);
  }

  private void learned() {
    model.write(4, new float[] {5, 6}, 0, 2);
    model.setSteps(Steps.of(9));
  }

  private float[] state() {
    float[] state = new float[2];
    model.read(4, state, 0, 2);
    return state;
  }

  private void tell(long round, int resets) {
    replica.accept(
        new RoundHead(
            round,
            JobProgress.NONE,
            0,
            LearnedFeatures.none(SPEC.shape(), false),
            1,
            false,
            List.of(),
            new Steering(1, resets, 0, 1)),
        Standing.NONE);
    replica.accept(new BlockUpdate(0, 1, new float[4]));
  }

  private static ModelReplica newModel() {
    return ModelEngine.named(SummingEngine.NAME).build(SPEC, DeviceRequest.any());
  }

  private Replica newReplica() {
    Replica made =
        new Replica(
            0,
            model,
            LAYOUT,
            ContributionCodecs.EXACT.encoder(LAYOUT),
            Schedule.every(1, true),
            false,
            false,
            new ContributionGuard(10),
            new JobShare(1, 1, RateFactors.NONE),
            Replay.NONE,
            () -> 0);
    made.begin(new InitialModel(SPEC, new float[6], 0, null));
    return made;
  }
}
