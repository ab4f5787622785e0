package dev.millrace.exchange.replica;

import static dev.millrace.exchange.replica.TestReplicas.INITIAL;
import static dev.millrace.exchange.replica.TestReplicas.changeOf;
import static dev.millrace.exchange.replica.TestReplicas.learn;
import static dev.millrace.exchange.replica.TestReplicas.replica;
import static dev.millrace.exchange.replica.TestReplicas.tellRound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaTest {

  @Test
  void whatWasSaidAtTheEndIsNotSaidAgainAfterARestore() throws IOException {
    Replica replica = replica();
    replica.reject(new Partition("t", 0), 7);

    assertThat(replica.farewell().rejected().rejectedCount()).isEqualTo(1);

    Replica restored = replica();
    TestReplicas.restore(restored, replica);
    assertThat(restored.farewell().rejected().isEmpty()).isTrue();
  }

  @Test
  void driftIsOfTheChangeThatWasContributed() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);

    assertThat(replica.divergence()).isNaN();

    learn(replica, 1);
    replica.contribute(ignored -> {});
    assertThat(replica.divergence()).isEqualTo(0.5);

    tellRound(replica, 1, 1, 1, 4, 4, 4, 4);
    learn(replica, 0);
    replica.contribute(ignored -> {});
    assertThat(replica.divergence()).isCloseTo(Math.sqrt(2) / 8, within(1e-12));
  }

  @Test
  void aContributionOfTheNextRoundIsNotStale() {
    Replica replica = replica();
    tellRound(replica, 3, 0, 0);
    assertThat(replica.staleness()).isNegative();

    learn(replica, 1);
    replica.contribute(ignored -> {});
    tellRound(replica, 4, 1, 1);

    assertThat(replica.staleness()).isZero();
  }

  @Test
  void aContributionThatARoundWentOnWithoutIsStaleByThatRound() {
    Replica replica = replica();
    tellRound(replica, 3, 0, 0);
    learn(replica, 1);
    replica.contribute(ignored -> {});

    tellRound(replica, 4, 0, 0);
    tellRound(replica, 5, 1, 1);

    assertThat(replica.staleness()).isEqualTo(1);
  }

  @Test
  void aContributionBegunBeforeTheLastOneWasInTheModelIsStale() {
    Replica replica = replica();
    tellRound(replica, 3, 0, 0);
    learn(replica, 1);
    replica.contribute(ignored -> {});

    learn(replica, 1);
    tellRound(replica, 4, 1, 1);
    replica.contribute(ignored -> {});
    tellRound(replica, 5, 2, 2);

    assertThat(replica.staleness()).isEqualTo(1);
  }

  @Test
  void stalenessIsUnknownOfWhatBeganBeforeARestore() throws IOException {
    Replica replica = replica();
    tellRound(replica, 3, 0, 0);
    learn(replica, 1);
    Replica restored = replica();
    TestReplicas.restore(restored, replica);

    restored.contribute(ignored -> {});
    tellRound(restored, 4, 1, 1);

    assertThat(restored.staleness()).isNegative();
  }

  /** It is made bytes of while the replica trains on. */
  @Test
  void whatIsSavedStaysAsItWas() throws IOException {
    Replica replica = replica();
    List<Runnable> course =
        List.of(
            () -> tellRound(replica, 0, 0, 0, 2, 2, 2, 2),
            () -> learn(replica, 1),
            () -> replica.contribute(ignored -> {}),
            () -> learn(replica, 3),
            () -> replica.contribute(ignored -> {}),
            () -> learn(replica, 5),
            () -> tellRound(replica, 1, 2, 2, 4, 4, 4, 4),
            () -> learn(replica, 7));
    List<SavedReplica> saved = new ArrayList<>();
    List<byte[]> then = new ArrayList<>();
    for (Runnable event : course) {
      event.run();
      saved.add(replica.save());
      then.add(replica.save().toBytes());
    }

    for (int i = 0; i < saved.size(); i++) {
      assertThat(saved.get(i).toBytes()).as("after event %d", i).isEqualTo(then.get(i));
    }
  }

  @Test
  void nothingIsSavedOfWhatTheGlobalModelHas() throws IOException {
    Replica small = replica();
    Replica large = replica(SummingEngine.initial(4000), 1000);
    tellRound(small, 0, 0, 0, 2, 2, 2, 2);
    large.accept(
        new RoundHead(0, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false), Standing.NONE);
    for (int block = 0; block < 4; block++) {
      large.accept(new BlockUpdate(block, 0, new float[1000]));
    }

    assertThat(large.save().toBytes()).hasSizeLessThan(small.save().toBytes().length + 100);

    learn(small, 1);
    learn(large, 1);
    assertThat(large.save().toBytes()).hasSizeGreaterThan(2 * 4000 * Float.BYTES);
  }

  @Test
  void aReplicaThatSavedNothingTrainsOnceItKnowsTheModelAgain() throws IOException {
    Replica replica = replica();
    tellRound(replica, 1, 0, 0, 2, 2, 2, 2);

    Replica restored = replica();
    TestReplicas.restore(restored, replica);
    assertThat(restored.knowsModel()).isFalse();
    assertThat(restored.mayTrain()).isFalse();
    tellRound(restored, 1, 0, 0, 2, 2, 2, 2);

    assertThat(restored.mayTrain()).isTrue();
    learn(restored, 1);
    List<Contribution> sent = new ArrayList<>();
    restored.contribute(sent::add);
    assertThat(changeOf(sent)).containsExactly(1, 1, 1, 1);
  }

  @Test
  void whatWasLearnedIsWholeWhereTheOtherStateHasNothingToContribute() throws IOException {
    Replica one = replica();
    tellRound(one, 0, 0, 0, 2, 2, 2, 2);
    learn(one, 1);
    one.contribute(ignored -> {});
    tellRound(one, 1, 1, 1, 3, 3, 3, 3);
    learn(one, 5);
    Replica other = replica(1, INITIAL.spec().layout(3, true));
    tellRound(other, 0, 0, 0, 2, 2, 2, 2);
    learn(other, 7);
    other.contribute(ignored -> {});

    Replica restored = replica();
    TestReplicas.restore(restored, one, other);

    List<Contribution> sent = new ArrayList<>();
    restored.contribute(sent::add);
    assertThat(changeOf(sent)).containsExactly(1, 5, 1, 5);
  }
}
