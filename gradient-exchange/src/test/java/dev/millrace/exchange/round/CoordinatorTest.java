package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CoordinatorTest {

  private static final Partition PARTITION = new Partition("t", 0);

  private int ofStep = 2;
  private Coordinator coordinator =
      new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, ofStep));

  @Test
  void noRoundBeforeEveryReplicaHasSaidHello() {
    coordinator.hello(hello(0, 2));
    announce(0, 1);

    assertThat(coordinator.ready()).isFalse();

    coordinator.hello(hello(1, 2));
    announce(1, 1);
    assertThat(coordinator.ready()).isTrue();
  }

  @Test
  void aRoundWaitsForEveryActiveReplica() {
    start(2);
    announce(0, 1);
    assertThat(coordinator.ready()).isFalse();

    announce(1, 1);

    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 1, 5), new Member(1, 1, 5));
  }

  @Test
  void aLateContributionJoinsALaterRound() {
    start(2);
    announce(0, 1);
    assertThat(coordinator.expire()).isEqualTo(1);
    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 1, 5));

    announce(1, 1);
    assertThat(coordinator.ready()).as("replica 0 is active and has announced nothing").isFalse();
    announce(0, 2);

    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 2, 5), new Member(1, 1, 5));
  }

  @Test
  void anIdleReplicaIsNotWaitedForUntilItAnnouncesAgain() {
    start(2);
    coordinator.idle(1);
    announce(0, 1);
    assertThat(coordinator.ready()).isTrue();
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);

    announce(1, 1);

    assertThat(coordinator.ready()).isFalse();
  }

  @Test
  void aRoundIsAPartOfAWholeOneWhereReplicasAreLateAndNotWhereTheyAreIdle() {
    start(4);
    coordinator.idle(3);
    announce(0, 1);
    coordinator.expire();
    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).participation().share())
        .as("1 and 2 are late")
        .isEqualTo(1.0 / 3);

    announce(0, 2);
    announce(1, 1);
    announce(2, 1);
    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).participation())
        .isEqualTo(Participation.WHOLE);
  }

  /** A learning rate that is multiplied by the number of replicas is meant for all of them. */
  @Test
  void aRoundOfAllIsAPartWhateverKeepsTheOthersAway() {
    start(4);
    coordinator.idle(3);
    coordinator.farewell(new Farewell(2, new Ledger()));
    announce(0, 1);
    announce(1, 1);

    assertThat(coordinator.close(WholeRound.OF_ALL).participation().share()).isEqualTo(0.5);
  }

  /** Those without a partition have nothing to learn: they are no part of it. */
  @Test
  void aRoundOfSomeCountsNoMoreOfThoseThatAreAway() {
    start(4);
    coordinator.idle(3);
    coordinator.idle(2);
    announce(0, 1);
    announce(1, 1);
    assertThat(coordinator.close(new WholeRound(3)).participation().share())
        .as("two of three")
        .isEqualTo(2.0 / 3);

    announce(0, 2);
    announce(1, 2);
    assertThat(coordinator.close(new WholeRound(1)).participation())
        .as("more than it was meant for")
        .isEqualTo(Participation.WHOLE);
  }

  /** One that hears of rounds seldom, because another is slow, makes many steps in each. */
  @Test
  void whoHasEndedIsMissingAsOneOfTheOthersWhateverItContributed() {
    start(2);
    announce(0, 1, 50);
    announce(1, 1);
    coordinator.farewell(new Farewell(0, new Ledger()));
    coordinator.close(WholeRound.OF_ALL);
    announce(1, 2);

    assertThat(coordinator.close(WholeRound.OF_ALL).participation())
        .isEqualTo(new Participation(0.5, 0.5));
  }

  @Test
  void aReplicaThatHasEndedLeavesItsLastContributionsForLaterRounds() {
    start(2);
    announce(0, 1);
    announce(0, 2);
    coordinator.farewell(new Farewell(0, rejected(7)));
    announce(1, 1);
    coordinator.farewell(new Farewell(1, new Ledger()));

    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 1, 5), new Member(1, 1, 5));
    assertThat(coordinator.ready()).isTrue();
    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 2, 5));
    assertThat(coordinator.ready()).isFalse();
    assertThat(coordinator.totals().ledger().rejectedCount()).isEqualTo(1);
  }

  @Test
  void accountsHoldOnlyWhatIsInARound() {
    start(2);
    announce(0, 1);
    assertThat(coordinator.totals().ledger().isEmpty()).isTrue();

    coordinator.expire();
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);

    assertThat(coordinator.totals().ledger().learnedCount()).isEqualTo(1);
    assertThat(coordinator.standing(0).included()).isEqualTo(1);
    assertThat(coordinator.standing(1).announced()).isZero();
  }

  @Test
  void aRestoredCoordinatorGoesOnAsTheNextGeneration() throws IOException {
    start(2);
    announce(0, 1);
    announce(1, 1);
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);
    announce(0, 2);

    restore();

    assertThat(coordinator.version()).isEqualTo(new ModelVersion(1, 1));
    announce(1, 2);
    assertThat(coordinator.ready()).as("nobody has said hello since the restore").isFalse();
    coordinator.hello(hello(0, 2));
    coordinator.hello(hello(1, 2));
    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 2, 5), new Member(1, 2, 5));
  }

  /** Replicas wait for these blocks, so what they train on is the same after a restore. */
  @Test
  void aHeadSaysWhichBlocksItsRoundChangedAlsoAfterARestore() throws IOException {
    start(2);
    assertThat(coordinator.head(1, false).changed()).isEmpty();
    announce(0, 1);
    coordinator.announce(
        new Announcement(
            1,
            1,
            new Fragment(1, 2),
            new ContributionMetadata(5, 1, new Ledger(), new FeatureStatistics(0), Measures.NONE),
            Phases.NONE));
    coordinator.close(WholeRound.OF_ALL);
    announce(0, 2);

    restore();

    assertThat(coordinator.head(1, false).changed())
        .containsExactly(Fragment.WHOLE, new Fragment(1, 2));
  }

  @Test
  void whatAReplicaThatIsNoMoreHadAnnouncedStaysInTheNextRound() throws IOException {
    start(3);
    announce(2, 1);
    restore();

    coordinator.hello(hello(0, 1));
    announce(0, 1);

    assertThat(coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN).members())
        .containsExactly(new Member(0, 1, 5), new Member(2, 1, 5));
  }

  /** Whoever learned them, and however many of them make a step from then on. */
  /** The area of all replicas' scores isn't a mean of theirs. */
  @Test
  void scoresOfAllReplicasAreAddedUpAlsoAfterARestore() throws IOException {
    start(2);
    announce(0, 1, scored(0.75f, 0.5f));
    announce(1, 1, scored(0.25f, 0.125f));
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);
    announce(0, 2, scored(0.5f, 0.25f));
    restore();
    start(2);
    announce(1, 2, scored(0.5f, 0.5f));
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);

    Measures all =
        scored(0.75f, 0.5f)
            .plus(scored(0.25f, 0.125f))
            .plus(scored(0.5f, 0.25f))
            .plus(scored(0.5f, 0.5f));
    assertThat(coordinator.totals().measures().scores()).isEqualTo(all.scores());
    assertThat(coordinator.totals().measures().stated()).isEqualTo(all.stated());
    assertThat(coordinator.totals().recent().scores()).isEqualTo(all.scores());
    assertThat(coordinator.totals().measures().auc()).isEqualTo((4 + 2 * 3 + 1.5) / 16);
    announce(0, 3, scored(0.75f, 0.25f));
    coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);
    assertThat(coordinator.totals().recent().scores())
        .isEqualTo(all.plus(scored(0.75f, 0.25f)).scores());
  }

  private void announce(int replica, long sequence, Measures measures) {
    coordinator.announce(
        new Announcement(
            replica,
            sequence,
            new ContributionMetadata(5, sequence, new Ledger(), new FeatureStatistics(0), measures),
            Phases.NONE));
  }

  /** Of a positive and of a negative example. */
  private static Measures scored(float positive, float negative) {
    MeasuresSum sum = new MeasuresSum();
    sum.add(
        new ExampleShape(1, 1, Target.MULTI_LABEL),
        new float[] {positive, negative},
        new float[] {1, 0},
        null,
        2);
    return sum.get();
  }

  @Test
  void stepsAreCountedInExamplesOfAllReplicas() throws IOException {
    start(3);
    for (int replica = 0; replica < 3; replica++) {
      announce(replica, 1);
    }
    assertThat(coordinator.totals().progress()).isEqualTo(JobProgress.NONE);
    assertThat(coordinator.close(WholeRound.OF_ALL).members()).hasSize(3);
    assertThat(coordinator.head(1, false).progress()).isEqualTo(new JobProgress(3, 1, 1));

    ofStep = 4;
    restore();
    for (int sequence = 2; sequence < 4; sequence++) {
      announce(0, sequence);
      assertThat(coordinator.close(WholeRound.OF_ALL).members()).hasSize(1);
    }
    assertThat(coordinator.head(1, false).progress())
        .as("steps made stay made")
        .isEqualTo(new JobProgress(5, 1, 3));
    assertThat(coordinator.head(1, false).progress().plus(1, ofStep))
        .isEqualTo(new JobProgress(6, 2, 0));
  }

  private void start(int replicas) {
    for (int replica = 0; replica < replicas; replica++) {
      coordinator.hello(hello(replica, replicas));
    }
  }

  private static Hello hello(int replica, int replicas) {
    return new Hello(replica, replicas, "home");
  }

  private void announce(int replica, long sequence) {
    announce(replica, sequence, 5);
  }

  private void announce(int replica, long sequence, double weight) {
    Ledger ledger = new Ledger();
    ledger.learned(PARTITION, replica * 100L + sequence);
    coordinator.announce(
        new Announcement(
            replica,
            sequence,
            new ContributionMetadata(
                weight, sequence, ledger, new FeatureStatistics(0), Measures.NONE),
            Phases.NONE));
  }

  private static Ledger rejected(long offset) {
    Ledger ledger = new Ledger();
    ledger.rejected(PARTITION, offset);
    return ledger;
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(bytes));
    coordinator =
        Coordinator.read(
            new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), 10, ofStep);
    coordinator.begin(coordinator.version().generation() + 1);
  }
}
