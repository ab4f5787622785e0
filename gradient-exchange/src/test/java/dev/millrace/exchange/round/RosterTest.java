package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.RosterMessage.Announcement;
import dev.millrace.exchange.round.RosterMessage.Farewell;
import dev.millrace.exchange.round.RosterMessage.Hello;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RosterTest {

  private static final Partition PARTITION = new Partition("t", 0);

  private Roster roster = new Roster(Accounts.open(new FeatureStatistics(0), 0, 10));

  @Test
  void noRoundBeforeEveryReplicaHasSaidHello() {
    roster.hello(hello(0, 2));
    announce(0, 1);

    assertThat(roster.ready()).isFalse();

    roster.hello(hello(1, 2));
    announce(1, 1);
    assertThat(roster.ready()).isTrue();
  }

  @Test
  void aRoundWaitsForEveryActiveReplica() {
    start(2);
    announce(0, 1);
    assertThat(roster.ready()).isFalse();

    announce(1, 1);

    assertThat(roster.close().members()).containsExactly(new Member(0, 1, 5), new Member(1, 1, 5));
  }

  @Test
  void aLateContributionJoinsALaterRound() {
    start(2);
    announce(0, 1);
    assertThat(roster.expire()).isEqualTo(1);
    assertThat(roster.close().members()).containsExactly(new Member(0, 1, 5));

    announce(1, 1);
    assertThat(roster.ready()).as("replica 0 is active and has announced nothing").isFalse();
    announce(0, 2);

    assertThat(roster.close().members()).containsExactly(new Member(0, 2, 5), new Member(1, 1, 5));
  }

  @Test
  void anIdleReplicaIsNotWaitedForUntilItAnnouncesAgain() {
    start(2);
    roster.idle(1);
    announce(0, 1);
    assertThat(roster.ready()).isTrue();
    roster.close();

    announce(1, 1);

    assertThat(roster.ready()).isFalse();
  }

  @Test
  void aReplicaThatHasEndedLeavesItsLastContributionsForLaterRounds() {
    start(2);
    announce(0, 1);
    announce(0, 2);
    roster.farewell(new Farewell(0, rejected(7)));
    announce(1, 1);
    roster.farewell(new Farewell(1, new Ledger()));

    assertThat(roster.close().members()).containsExactly(new Member(0, 1, 5), new Member(1, 1, 5));
    assertThat(roster.ready()).isTrue();
    assertThat(roster.close().members()).containsExactly(new Member(0, 2, 5));
    assertThat(roster.ready()).isFalse();
    assertThat(roster.accounts().ledger().rejectedCount()).isEqualTo(1);
  }

  @Test
  void accountsHoldOnlyWhatIsInARound() {
    start(2);
    announce(0, 1);
    assertThat(roster.accounts().ledger().isEmpty()).isTrue();

    roster.expire();
    roster.close();

    assertThat(roster.accounts().ledger().learnedCount()).isEqualTo(1);
    assertThat(roster.head(1, false).included().of(0)).isEqualTo(1);
    assertThat(roster.head(1, false).announced().of(1)).isZero();
  }

  @Test
  void aRestoredRosterGoesOnAsTheNextGeneration() throws IOException {
    start(2);
    announce(0, 1);
    announce(1, 1);
    roster.close();
    announce(0, 2);

    restore();

    assertThat(roster.version()).isEqualTo(new ModelVersion(1, 1));
    announce(1, 2);
    assertThat(roster.ready()).as("nobody has said hello since the restore").isFalse();
    roster.hello(hello(0, 2));
    roster.hello(hello(1, 2));
    assertThat(roster.close().members()).containsExactly(new Member(0, 2, 5), new Member(1, 2, 5));
  }

  @Test
  void whatAReplicaThatIsNoMoreHadAnnouncedStaysInTheNextRound() throws IOException {
    start(3);
    announce(2, 1);
    restore();

    roster.hello(hello(0, 1));
    announce(0, 1);

    assertThat(roster.close().members()).containsExactly(new Member(0, 1, 5), new Member(2, 1, 5));
  }

  private void start(int replicas) {
    for (int replica = 0; replica < replicas; replica++) {
      roster.hello(hello(replica, replicas));
    }
  }

  private static Hello hello(int replica, int replicas) {
    return new Hello(replica, replicas, "home");
  }

  private void announce(int replica, long sequence) {
    Ledger ledger = new Ledger();
    ledger.learned(PARTITION, replica * 100L + sequence);
    roster.announce(
        new Announcement(
            replica,
            sequence,
            new Tally(5, sequence, ledger, new FeatureStatistics(0), Measures.NONE),
            Phases.NONE));
  }

  private static Ledger rejected(long offset) {
    Ledger ledger = new Ledger();
    ledger.rejected(PARTITION, offset);
    return ledger;
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    roster.write(new DataOutputStream(bytes));
    roster = Roster.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), 10);
    roster.begin(roster.version().generation() + 1);
  }
}
