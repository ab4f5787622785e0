package dev.millrace.exchange.replica;

import static dev.millrace.exchange.replica.TestReplicas.changeOf;
import static dev.millrace.exchange.replica.TestReplicas.learn;
import static dev.millrace.exchange.replica.TestReplicas.lossyReplica;
import static dev.millrace.exchange.replica.TestReplicas.replica;
import static dev.millrace.exchange.replica.TestReplicas.standardizingReplica;
import static dev.millrace.exchange.replica.TestReplicas.tellRound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.PopulationTestEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a replica refuses to contribute, and to save. */
class ReplicaRefusalTest {

  /** What replicas take for the time, in nanoseconds. */
  private long time;

  @Test
  void whatIsNotFiniteIsRefusedAndItsRecordsRejected() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, Float.NaN);

    assertThat(refusedRecords(replica)).isEqualTo(1);

    assertThat(replica.isReleased()).as("nothing is awaited").isTrue();
    assertThat(replica.hasLearned()).isFalse();
    learn(replica, 1);
    List<Contribution> sent = new ArrayList<>();
    assertThat(replica.contribute(sent::add)).isInstanceOf(Announcement.class);
    assertThat(changeOf(sent)).containsExactly(1, 1, 1, 1);
  }

  @Test
  void theTimeOfWhatIsRefusedIsNotTheNextContributions() {
    Replica replica = replica(() -> time);
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    time = 1_000;
    learn(replica, Float.NaN);
    refusedRecords(replica);
    time = 1_010;
    learn(replica, 1);

    Announcement announcement = (Announcement) replica.contribute(ignored -> {});

    assertThat(announcement.phases().steps()).isEqualTo(1);
    assertThat(announcement.phases().elapsed()).isEqualTo(10);
  }

  @Test
  void whatExplodesIsRefusedToo() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 0x1p100f);
    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);
    tellRound(replica, 1, 1, 1, 2, 2, 2, 2);
    learn(replica, Math.nextUp(0x1p100f));

    assertThat(refusedRecords(replica)).isEqualTo(1);
  }

  /** It was learned from records that count as learned. */
  @Test
  void whatCodecsLeftOutOutlivesARefusal() {
    Replica replica = lossyReplica(Codec.topK(0.3));
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 5);
    List<Contribution> first = new ArrayList<>();
    assertThat(replica.contribute(first::add)).isInstanceOf(Announcement.class);
    learn(replica, Float.NaN);
    assertThat(refusedRecords(replica)).isEqualTo(1);

    List<Contribution> last = new ArrayList<>();
    assertThat(replica.contributeLast(last::add)).containsInstanceOf(Announcement.class);

    float[] sent = changeOf(first);
    float[] rest = changeOf(last);
    assertThat(sent).as("some of it").containsExactly(0, 5, 0, 5);
    assertThat(rest).containsExactly(1, 0, 1, 0);
    assertThat(replica.contributeLast(last::add)).as("nothing is left").isEmpty();
  }

  /** Otherwise nothing would ever be contributed again. */
  @Test
  void whatWasLeftOutAndExplodesByItselfIsDropped() {
    Replica replica = lossyReplica(Codec.topK(0.3));
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    for (float value : new float[] {90, 100}) {
      learn(replica, value);
      assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);
    }
    tellRound(replica, 20, 2, 2, 1e-3f, 1e-3f, 1e-3f, 1e-3f);
    learn(replica, Float.NaN);

    assertThat(refusedRecords(replica)).isEqualTo(1);

    assertThat(replica.contributeLast(sent -> {})).as("nothing is left").isEmpty();
  }

  /** In a population: its records stay learned by the others. */
  @Test
  void aMemberThatExplodesIsReplacedBeforeAnythingIsRefused() throws IOException {
    float[] edge = {0x1p100f, 0x1p100f, 0x1p100f, 0x1p100f};
    InitialModel other = new InitialModel(TestReplicas.INITIAL.spec(), edge, 0, null);
    InitialModel population =
        PopulationTestEngine.of(List.of(TestReplicas.INITIAL, other), 0.1, 0.2);
    for (boolean saved : new boolean[] {false, true}) {
      Replica replica = TestReplicas.replica(population, 100);
      replica.accept(
          new RoundHead(0, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false),
          new Standing(0, 0, 0));
      replica.accept(new BlockUpdate(0, 0, population.vector().clone()));
      learn(replica, 0x1p80f);

      if (saved) {
        assertThat(replica.refuseUnsound()).isEmpty();
      } else {
        assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);
      }
    }
  }

  @Test
  void aChangeOfManyTimesTheParametersIsRefusedOnceTheseHaveTheirScale() {
    Replica replica = replica();
    tellRound(replica, 9, 0, 0, 2, 2, 2, 2);
    learn(replica, 30);
    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);

    tellRound(replica, 10, 1, 1, 2, 2, 2, 2);
    learn(replica, 26);
    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);

    tellRound(replica, 11, 2, 2, 2, 2, 2, 2);
    learn(replica, 30);
    assertThat(refusedRecords(replica)).isEqualTo(1);
    learn(replica, 2);
    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);
  }

  /** As a time in seconds does, which is learned for a while and gone on with the next day. */
  @Test
  void aFeatureFarFromWhatIsKnownOfItIsNamed() {
    FeatureStatistics known = FeatureStatistics.of(1_000, new double[] {1.6e9}, new double[] {29});
    Replica replica = standardizingReplica();
    tellRound(replica, known, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 1.7e9f);

    Refusal refusal = (Refusal) replica.contribute(ignored -> {});

    assertThat(refusal.reason())
        .startsWith("feature 0 has a mean of 1.700000e+09 and a deviation of 0.000,")
        .contains("known are 1.600000e+09 and 29.00: that is 3.448e+06 deviations away")
        .contains("the limit is 1000")
        .contains("the guard's largest change")
        .contains("aren't standardized");
    learn(replica, 1.7e9f);
    assertThat(replica.refuseUnsound())
        .hasValueSatisfying(
            message -> assertThat(((Refusal) message).reason()).startsWith("feature 0"));
  }

  /** And what was learned before it, or with it, stays. */
  @Test
  void anExampleThatTheModelCannotComputeWithCostsItselfOnly() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 1);
    Minibatch mixed = new Minibatch(TestReplicas.INITIAL.spec().shape(), 3);
    float[] values = {3, Float.NEGATIVE_INFINITY, 5};
    for (int i = 0; i < values.length; i++) {
      mixed.add(new float[] {values[i]}, new float[1], 1, new Partition("t", 0), 40 + i);
    }
    List<String> rejected = new ArrayList<>();

    Measures measures =
        replica.learn(
            mixed, (partition, offset, reason) -> rejected.add(offset + " of " + partition));

    assertThat(rejected).containsExactly("41 of t-0");
    assertThat(measures.examples()).isEqualTo(2);
    List<Contribution> sent = new ArrayList<>();
    Announcement announcement = (Announcement) replica.contribute(sent::add);
    assertThat(changeOf(sent)).containsExactly(3, 9, 3, 9);
    assertThat(announcement.metadata().ledger().learnedCount()).isEqualTo(3);
    assertThat(announcement.metadata().ledger().rejectedCount()).isEqualTo(1);
  }

  @Test
  void noCheckpointHasWhatWouldBeRefused() throws IOException {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 1);
    assertThat(replica.refuseUnsound()).isEmpty();
    learn(replica, Float.NaN);

    Refusal refusal = (Refusal) replica.refuseUnsound().orElseThrow();

    assertThat(refusal.rejected().rejectedCount()).isEqualTo(2);
    assertThat(refusal.reason()).contains("aren't finite").contains("Lower its learning rate");
    assertThat(Replica.recordsUnderWay(TestReplicas.read(replica.save())).isEmpty()).isTrue();
    learn(replica, 1);
    List<Contribution> sent = new ArrayList<>();
    assertThat(replica.contribute(sent::add)).isInstanceOf(Announcement.class);
    assertThat(changeOf(sent)).containsExactly(1, 1, 1, 1);
  }

  @Test
  void noCheckpointHasWhatIsNotSoundThoughItIsNotExchanged() {
    Replica replica = replica(0, new BlockLayout(1, 3, 1, List.of()));
    replica.accept(
        new RoundHead(0, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false), Standing.NONE);
    replica.accept(new BlockUpdate(0, 0, new float[] {2}));
    learn(replica, Float.NaN);

    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);

    assertThat(replica.refuseUnsound()).isPresent();
    assertThat(replica.refuseUnsound()).as("it has begun anew").isEmpty();
  }

  private static long refusedRecords(Replica replica) {
    CoordinatorMessage message =
        replica.contribute(
            contribution -> {
              throw new AssertionError("It was sent");
            });
    return ((Refusal) message).rejected().rejectedCount();
  }
}
