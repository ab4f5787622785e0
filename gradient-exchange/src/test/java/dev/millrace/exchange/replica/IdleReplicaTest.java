package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A replica that gets no examples, in a job with a training log. */
class IdleReplicaTest {

  private static final int ROUNDS = 10_000;

  private final Replica replica = TestReplicas.loggingReplica();

  /** The first head says how many steps a newcomer's updater has made; later ones don't. */
  @Test
  void itTellsTheFirstHeadAndTheNewestRoundHoweverLongItIsIdle() {
    for (long round = 0; round < ROUNDS; round++) {
      TestReplicas.tellRound(replica, round, 0, 0);
      replica.endDelay();
    }

    assertThat(replica.log()).isEqualTo("h0 h9999 b9999");
  }

  @Test
  void anEndedDelayIsToldOnceAContribution() {
    TestReplicas.tellRound(replica, 0, 0, 0);
    TestReplicas.learn(replica, 1);
    assertThat(replica.contribute(change -> {})).isNotNull();
    for (int i = 0; i < ROUNDS; i++) {
      replica.endDelay();
    }

    assertThat(replica.log()).isEqualTo("e");
  }
}
