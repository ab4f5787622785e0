package dev.millrace.exchange.replica;

import static dev.millrace.exchange.replica.TestReplicas.changeOf;
import static dev.millrace.exchange.replica.TestReplicas.fragmentReplica;
import static dev.millrace.exchange.replica.TestReplicas.learn;
import static dev.millrace.exchange.replica.TestReplicas.tellRound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.features.FeatureStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica of two blocks that contributes one in each round. */
class ReplicaFragmentsTest {

  private static final Fragment FIRST = new Fragment(0, 2);
  private static final Fragment SECOND = new Fragment(1, 2);

  private final Replica replica = fragmentReplica(2);
  private final List<Contribution> sent = new ArrayList<>();

  @BeforeEach
  void start() {
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
  }

  @Test
  void aContributionIsOfTheFragmentWhoseTurnItIsAndOfAllSinceItsLast() {
    learn(replica, 3);
    assertThat(contribute().fragment()).isEqualTo(FIRST);
    assertThat(sent).extracting(Contribution::block).containsExactly(0);
    assertThat(sent).extracting(Contribution::weight).containsExactly(1.0);
    assertThat(changeOf(sent)).containsExactly(1, 3, 1, 0);

    tell(1, 1, FIRST, 0, 3, 5, 3);
    learn(replica, 4);
    Announcement second = contribute();

    assertThat(second.fragment()).isEqualTo(SECOND);
    assertThat(second.metadata().weight()).isEqualTo(2);
    assertThat(second.metadata().ledger().learnedCount()).as("told once").isEqualTo(1);
    assertThat(sent).extracting(Contribution::block).containsExactly(1);
    assertThat(sent).extracting(Contribution::weight).containsExactly(2.0);
    assertThat(changeOf(sent)).containsExactly(0, 0, 0, 7);
  }

  @Test
  void itIsReleasedByTheBlocksOfItsContribution() {
    learn(replica, 3);
    contribute();
    accept(new RoundHead(1, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false));
    assertThat(replica.mayTrain()).isFalse();

    replica.accept(new BlockUpdate(0, 1, new float[] {3, 5, 3}));

    assertThat(replica.mayTrain()).isTrue();
  }

  /** Another contributes all, as at its end: what is trained on must not depend on what is fast. */
  @Test
  void itWaitsForAllBlocksThatItsRoundChanges() {
    learn(replica, 3);
    contribute();
    accept(
        new RoundHead(
            1,
            JobProgress.NONE,
            0,
            new FeatureStatistics(0),
            1,
            false,
            List.of(FIRST, Fragment.WHOLE)));
    replica.accept(new BlockUpdate(0, 1, new float[] {3, 5, 3}));
    assertThat(replica.mayTrain()).isFalse();

    replica.accept(new BlockUpdate(1, 1, new float[] {9}));

    assertThat(replica.mayTrain()).isTrue();
    learn(replica, 0);
    contribute();
    assertThat(changeOf(sent)).as("its own of both steps").containsExactly(0, 0, 0, 3);
  }

  @Test
  void aRefusalLeavesWhatOtherFragmentsHaveYetToContribute() {
    learn(replica, 3);
    contribute();
    tell(1, 1, FIRST, 0, 3, 5, 3);
    learn(replica, Float.NaN);

    assertThat(replica.contribute(sent::add)).isInstanceOf(Refusal.class);

    assertThat(replica.hasToContribute()).isTrue();
    learn(replica, 1);
    assertThat(contribute().metadata().weight()).isEqualTo(2);
    assertThat(changeOf(sent)).containsExactly(0, 0, 0, 4);
  }

  @Test
  void whereNoneIsToWaitForItsTurnAllContribute() {
    learn(replica, 3);
    contribute();
    tell(1, 1, FIRST, 0, 3, 5, 3);
    assertThat(replica.hasLearned()).isFalse();
    assertThat(replica.hasToContribute()).isTrue();

    sent.clear();
    Announcement all = (Announcement) replica.contributeAll(sent::add);

    assertThat(all.fragment()).isEqualTo(Fragment.WHOLE);
    assertThat(sent).extracting(Contribution::block).containsExactly(0, 1);
    assertThat(changeOf(sent)).containsExactly(0, 0, 0, 3);
    assertThat(sent.get(0).weight()).as("nothing to say").isLessThan(1e-3);
    assertThat(sent.get(1).weight()).isEqualTo(1);
    assertThat(replica.hasToContribute()).isFalse();
  }

  @Test
  void theLastContributionIsOfAllBlocks() {
    learn(replica, 3);
    contribute();

    sent.clear();
    CoordinatorMessage last = replica.contributeLast(sent::add).orElseThrow();

    assertThat(((Announcement) last).fragment()).isEqualTo(Fragment.WHOLE);
    assertThat(changeOf(sent)).containsExactly(0, 0, 0, 3);
    assertThat(replica.contributeLast(sent::add)).isEmpty();
  }

  @Test
  void aCheckpointHoldsWhatOtherFragmentsHaveYetToContribute() throws IOException {
    learn(replica, 3);
    contribute();
    Replica restored = fragmentReplica(2);
    TestReplicas.restore(restored, replica);
    assertThat(restored.isReleased()).isFalse();
    restored.accept(
        new RoundHead(1, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false),
        new Standing(1, 1, 1));
    restored.accept(new BlockUpdate(0, 1, new float[] {3, 5, 3}));
    assertThat(restored.mayTrain()).as("block 1 is saved, at round 0").isTrue();

    learn(restored, 4);
    sent.clear();
    restored.contribute(sent::add);

    assertThat(sent).extracting(Contribution::weight).containsExactly(2.0);
    assertThat(changeOf(sent)).containsExactly(0, 0, 0, 7);
  }

  /** Of rounds that pass a block by it hears nothing. */
  @Test
  void aContributionOfTheNextRoundIsNotStale() {
    for (int round = 1; round <= 4; round++) {
      learn(replica, 1);
      contribute();
      tell(round, round, round % 2 == 1 ? FIRST : SECOND, round % 2 == 1 ? 0 : 1, 2, 2, 2);
      assertThat(replica.staleness()).as("round %d", round).isZero();
    }
  }

  private Announcement contribute() {
    sent.clear();
    return (Announcement) replica.contribute(sent::add);
  }

  private void accept(RoundHead head) {
    replica.accept(head, new Standing(head.round(), head.round(), head.round()));
  }

  /** A round that changes one block. */
  private void tell(long round, long included, Fragment changed, int block, float... values) {
    replica.accept(
        new RoundHead(
            round, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false, List.of(changed)),
        new Standing(included, included, round));
    replica.accept(new BlockUpdate(block, round, block == 0 ? values : new float[] {values[0]}));
  }
}
