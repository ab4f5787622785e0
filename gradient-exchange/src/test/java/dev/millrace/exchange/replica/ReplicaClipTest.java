package dev.millrace.exchange.replica;

import static dev.millrace.exchange.replica.TestReplicas.changeOf;
import static dev.millrace.exchange.replica.TestReplicas.guardedReplica;
import static dev.millrace.exchange.replica.TestReplicas.learn;
import static dev.millrace.exchange.replica.TestReplicas.tellRound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of contributions that are longer than others may be. */
class ReplicaClipTest {

  private final Replica replica = guardedReplica(new ContributionGuard(10, 0.5));
  private final List<Contribution> sent = new ArrayList<>();

  @Test
  void aLongChangeIsShortenedToItsLimit() {
    tellRound(replica, 20, 0, 0, 2, 2, 2, 2);
    learn(replica, 7);

    assertThat(replica.contribute(sent::add)).isInstanceOf(Announcement.class);

    assertThat(changeOf(sent))
        .as("1 and 7 in turn, in half of the parameters' length")
        .containsExactly(new float[] {0.2f, 1.4f, 0.2f, 1.4f}, within(1e-6f));
    assertThat(replica.clipped()).isEqualTo(1);
    assertThat(replica.contributeLast(sent::add)).as("the rest is lost").isEmpty();
  }

  @Test
  void aChangeWithinTheLimitStaysAsItIs() {
    tellRound(replica, 20, 0, 0, 2, 2, 2, 2);
    learn(replica, 1);

    replica.contribute(sent::add);

    assertThat(changeOf(sent)).containsExactly(1, 1, 1, 1);
    assertThat(replica.clipped()).isZero();
  }

  @Test
  void anExplosionIsRefusedAllTheSame() {
    tellRound(replica, 20, 0, 0, 2, 2, 2, 2);
    learn(replica, 30);

    assertThat(replica.contribute(sent::add)).isInstanceOf(Refusal.class);
  }

  @Test
  void inTheFirstRoundsParametersMayChangeByAnyFactor() {
    tellRound(replica, 1, 0, 0, 2, 2, 2, 2);
    learn(replica, 30);

    replica.contribute(sent::add);

    assertThat(changeOf(sent)).contains(30);
    assertThat(replica.clipped()).isZero();
  }
}
