package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.features.FeatureStatistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that makes four local steps a round, and takes the last round in after two. */
class DelayedReplicaTest {

  private static final int LOCAL_STEPS = 4;

  private final Replica replica = TestReplicas.delayedReplica(LOCAL_STEPS, 2);

  @BeforeEach
  void contribute() {
    tellHead(0, 0, LOCAL_STEPS);
    tellBlocks(0);
    learn(LOCAL_STEPS);
    assertThat(replica.contribute(change -> {})).isInstanceOf(Announcement.class);
  }

  @Test
  void whatComesEarlyIsTakenInAfterTheSteps() {
    tellHead(1, 1, LOCAL_STEPS);
    tellBlocks(1);
    learn(1);
    assertThat(replica.isReleased()).isFalse();

    learn(1);

    assertThat(replica.isReleased()).isTrue();
    assertThat(replica.round()).isEqualTo(1);
  }

  @Test
  void whatComesLateIsWaitedFor() {
    learn(2);
    assertThat(replica.mayTrain()).isFalse();

    tellHead(1, 1, LOCAL_STEPS);
    tellBlocks(1);

    assertThat(replica.mayTrain()).isTrue();
  }

  /** Otherwise the last contribution would depend on whether it has come. */
  @Test
  void onceTheInputHasEndedNothingIsTakenInAnyMore() {
    tellHead(1, 1, LOCAL_STEPS);
    tellBlocks(1);
    replica.inputEnded();

    learn(2);

    assertThat(replica.isReleased()).isFalse();
  }

  /** Its blocks have come before, and nobody would take them in. */
  @Test
  void aHeadThatShortensTheDelayEndsIt() {
    learn(1);
    tellBlocks(1);
    tellHead(0, 0, 2);

    tellHead(1, 1, 2);

    assertThat(replica.mayTrain()).isTrue();
  }

  private void learn(int steps) {
    for (int step = 0; step < steps; step++) {
      TestReplicas.learn(replica, 1);
    }
  }

  private void tellHead(long round, long included, int localSteps) {
    replica.accept(
        new RoundHead(round, JobProgress.NONE, 0, new FeatureStatistics(0), localSteps, false),
        new Standing(included, included, round));
  }

  private void tellBlocks(long round) {
    replica.accept(new BlockUpdate(0, round, new float[3]));
    replica.accept(new BlockUpdate(1, round, new float[1]));
  }
}
