package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.round.ContributionSequences;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicaTest {

  private static final InitialModel INITIAL = SummingEngine.initial(4);

  /** What replicas take for the time, in nanoseconds. */
  private long time;

  @Test
  void whatWasSaidAtTheEndIsNotSaidAgainAfterARestore() throws IOException {
    Replica replica = replica();
    replica.reject(new Partition("t", 0), 7);

    assertThat(replica.farewell().rejected().rejectedCount()).isEqualTo(1);

    Replica restored = replica();
    restored.restore(List.of(replica.save().toBytes()));
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
    restored.restore(List.of(replica.save().toBytes()));

    restored.contribute(ignored -> {});
    tellRound(restored, 4, 1, 1);

    assertThat(restored.staleness()).isNegative();
  }

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
    Replica replica = replica();
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
  void whatExplodesIsRefusedToo() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 0x1p100f);
    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);
    tellRound(replica, 1, 1, 1, 2, 2, 2, 2);
    learn(replica, Math.nextUp(0x1p100f));

    assertThat(refusedRecords(replica)).isEqualTo(1);
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
    Replica replica = replica(0, INITIAL.spec().layout(3, true), true);
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

  @Test
  void examplesThatTheModelCannotComputeWithAreRefusedWithWhatWasLearnedSince() {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 1);
    Minibatch unusable = minibatch(Float.NEGATIVE_INFINITY, 41);

    assertThatThrownBy(() -> replica.learn(unusable))
        .isInstanceOfSatisfying(
            UnusableExamplesException.class,
            e -> {
              Refusal refusal = replica.refuse(unusable, e);
              assertThat(refusal.refused().rejectedCount()).isEqualTo(2);
              assertThat(refusal.reason())
                  .contains("a record of t-0 from offset 41 to 41: it knows no such number");
            });

    assertThat(replica.hasLearned()).isFalse();
    learn(replica, 3);
    List<Contribution> sent = new ArrayList<>();
    assertThat(replica.contribute(sent::add)).isInstanceOf(Announcement.class);
    assertThat(changeOf(sent)).containsExactly(1, 3, 1, 3);
  }

  @Test
  void noCheckpointHasWhatWouldBeRefused() throws IOException {
    Replica replica = replica();
    tellRound(replica, 0, 0, 0, 2, 2, 2, 2);
    learn(replica, 1);
    assertThat(replica.refuseUnsound()).isEmpty();
    learn(replica, Float.NaN);

    Refusal refusal = (Refusal) replica.refuseUnsound().orElseThrow();

    assertThat(refusal.refused().rejectedCount()).isEqualTo(2);
    assertThat(refusal.reason()).contains("aren't finite").contains("Lower its learning rate");
    assertThat(Replica.recordsUnderWay(replica.save().toBytes()).isEmpty()).isTrue();
    learn(replica, 1);
    List<Contribution> sent = new ArrayList<>();
    assertThat(replica.contribute(sent::add)).isInstanceOf(Announcement.class);
    assertThat(changeOf(sent)).containsExactly(1, 1, 1, 1);
  }

  @Test
  void noCheckpointHasWhatIsNotSoundThoughItIsNotExchanged() {
    Replica replica = replica(0, new BlockLayout(1, 3, 1, List.of()));
    replica.accept(
        new RoundHead(
            0,
            0,
            new FeatureStatistics(0),
            ContributionSequences.NONE,
            ContributionSequences.NONE,
            Map.of(),
            1,
            false));
    replica.accept(new BlockUpdate(0, 0, new float[] {2}, ContributionSequences.NONE));
    learn(replica, Float.NaN);

    assertThat(replica.contribute(sent -> {})).isInstanceOf(Announcement.class);

    assertThat(replica.refuseUnsound()).isPresent();
    assertThat(replica.refuseUnsound()).as("it has begun anew").isEmpty();
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
    restored.restore(List.of(one.save().toBytes(), other.save().toBytes()));

    List<Contribution> sent = new ArrayList<>();
    restored.contribute(sent::add);
    assertThat(changeOf(sent)).containsExactly(1, 5, 1, 5);
  }

  private static long refusedRecords(Replica replica) {
    CoordinatorMessage message =
        replica.contribute(
            contribution -> {
              throw new AssertionError("It was sent");
            });
    return ((Refusal) message).refused().rejectedCount();
  }

  private static float[] changeOf(List<Contribution> sent) {
    float[] change = new float[4];
    for (Contribution contribution : sent) {
      int size = contribution.block() == 0 ? 3 : 1;
      float[] block = Codec.float32().receive(contribution.payload(), new float[size], size);
      System.arraycopy(block, 0, change, 3 * contribution.block(), size);
    }
    return change;
  }

  /** One step, which adds 1 to every second parameter and {@code value} to the others. */
  private static void learn(Replica replica, float value) {
    replica.learn(minibatch(value, 0));
  }

  private static Minibatch minibatch(float value, long offset) {
    Minibatch minibatch = new Minibatch(INITIAL.spec().shape(), 1);
    minibatch.add(new float[] {value}, new float[1], 1, new Partition("t", 0), offset);
    return minibatch;
  }

  /** A round of which replica 0 hears head and blocks, all parameters being {@code values}. */
  private static void tellRound(
      Replica replica, long round, long included, long announced, float... values) {
    tellRound(replica, new FeatureStatistics(0), round, included, announced, values);
  }

  private static void tellRound(
      Replica replica,
      FeatureStatistics statistics,
      long round,
      long included,
      long announced,
      float... values) {
    float[] global = values.length == 0 ? new float[] {1, 1, 1, 1} : values;
    ContributionSequences in = ContributionSequences.NONE.with(0, included);
    replica.accept(
        new RoundHead(
            round,
            0,
            statistics,
            in,
            ContributionSequences.NONE.with(0, announced),
            Map.of(),
            1,
            false));
    replica.accept(new BlockUpdate(0, round, Arrays.copyOfRange(global, 0, 3), in));
    replica.accept(new BlockUpdate(1, round, Arrays.copyOfRange(global, 3, 4), in));
  }

  private Replica replica() {
    return replica(0, INITIAL.spec().layout(3, true));
  }

  private Replica replica(int index, BlockLayout layout) {
    return replica(index, layout, false);
  }

  private Replica replica(int index, BlockLayout layout, boolean standardize) {
    return new Replica(
        index,
        ModelEngine.named(SummingEngine.NAME).build(INITIAL.spec(), DeviceRequest.any()),
        INITIAL,
        layout,
        Codec.float32().encoder(List.of()),
        Schedule.every(1, true),
        standardize,
        new ContributionGuard(10),
        () -> time);
  }
}
