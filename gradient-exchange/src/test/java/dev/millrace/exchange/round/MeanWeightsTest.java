package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeanWeightsTest {

  private final MeanWeights usual = new MeanWeights();

  @Test
  void aRoundThatLacksNobodyIsWhole() {
    Member first = contributed(0, 100);
    Member second = contributed(1, 300);

    assertThat(usual.of(List.of(first, second), replicas(), 0)).isEqualTo(Participation.WHOLE);
  }

  @Test
  void theShareIsThatOfUsualExamples() {
    contributed(0, 100);
    Member second = contributed(1, 300);

    assertThat(usual.of(List.of(second), replicas(0), 0)).isEqualTo(new Participation(0.75, 0.75));
  }

  @Test
  void aSmallContributionIsAPartOfARoundThoughItLacksNobody() {
    for (int round = 0; round < 50; round++) {
      contributed(0, 1_000);
    }

    Participation tail = usual.of(List.of(contributed(0, 1)), replicas(), 0);

    assertThat(tail.share()).isEqualTo(1);
    assertThat(tail.size()).isCloseTo(0.001, within(0.0005));
  }

  @Test
  void ofAReplicaThatNeverContributedAsMuchIsExpectedAsOfTheOthers() {
    Member first = contributed(0, 100);
    Member second = contributed(1, 300);

    assertThat(usual.of(List.of(first, second), replicas(2, 3), 0).share()).isEqualTo(0.5);
  }

  /** Such as of one that made many steps while it waited for a slow replica, and has ended. */
  @Test
  void ofAReplicaWithoutRecordsAsMuchIsExpectedAsOfTheOthersWhateverItContributedBefore() {
    contributed(0, 300);
    Member second = contributed(1, 100);

    assertThat(usual.of(List.of(second), replicas(), 1)).isEqualTo(new Participation(0.5, 0.5));
  }

  @Test
  void isTheSameAfterARestore() throws IOException {
    contributed(0, 100);
    Member second = contributed(1, 300);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    usual.write(new DataOutputStream(bytes));

    MeanWeights restored =
        MeanWeights.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    assertThat(restored.of(List.of(second), replicas(0), 0))
        .isEqualTo(usual.of(List.of(second), replicas(0), 0));
  }

  private Member contributed(int replica, double weight) {
    usual.contributed(replica, weight);
    return new Member(replica, 1, weight);
  }

  private static BitSet replicas(int... numbers) {
    BitSet replicas = new BitSet();
    Arrays.stream(numbers).forEach(replicas::set);
    return replicas;
  }
}
