package dev.millrace.exchange.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GathererTest {

  private static final BlockLayout LAYOUT = new BlockLayout(4, 2, 2, List.of());

  private final List<Part> parts = new ArrayList<>();
  private final Gatherer gatherer = gatherer();

  @Test
  void membersGoAsOneOnceTheRoundIsDecidedAndAllAreHere() {
    add(gatherer, 0, 1, 1, 2);
    order(gatherer, 1, id(0, 1), id(1, 1));
    assertThat(parts).isEmpty();

    add(gatherer, 1, 1, 3, 6);

    assertThat(parts).extracting(Part::block).containsExactly(0, 1);
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.round()).isEqualTo(1);
              assertThat(part.members()).isEqualTo(TestDecisions.members(0, 1));
              assertThat(part.weight()).isEqualTo(4);
              assertThat(part.payload().receive(new float[2], 2)).containsExactly(5, 5);
            });
  }

  @Test
  void aSingleMemberGoesAsItIs() {
    Payload payload = TestPayloads.bfloat16(0, new float[] {1, 2}, 2);
    gatherer.add(new Contribution(0, 3, 5, 2, payload));
    order(gatherer, 9, id(3, 5));

    assertThat(parts)
        .singleElement()
        .isEqualTo(new Part(0, 9, TestDecisions.members(3), 2, payload));
  }

  @Test
  void whatIsNoMemberYetWaitsForALaterRound() {
    add(gatherer, 0, 1, 1, 2);
    add(gatherer, 1, 1, 1, 4);

    order(gatherer, 1, id(0, 1));
    order(gatherer, 2, id(1, 1));

    assertThat(parts).extracting(Part::round).containsExactly(1L, 1L, 2L, 2L);
    assertThat(parts.get(2).payload().receive(new float[2], 2)).containsExactly(4, 4);
  }

  @Test
  void aPartIsTheSameBitByBitInWhateverOrderContributionsCome() {
    long seed = Seeds.next();
    Random die = new Random(seed);
    List<Contribution> sent = new ArrayList<>();
    ContributionId[] members = new ContributionId[7];
    for (int replica = 0; replica < members.length; replica++) {
      members[replica] = id(replica, 1);
      float[] change = {(float) die.nextGaussian(), (float) die.nextGaussian()};
      sent.add(
          new Contribution(0, replica, 1, 1 + die.nextInt(50), TestPayloads.float32(0, change, 2)));
    }
    float[] expected = null;
    for (int run = 0; run < 50; run++) {
      parts.clear();
      Gatherer one = gatherer();
      Collections.shuffle(sent, die);
      sent.forEach(one::add);
      order(one, 1, members);
      float[] result = parts.get(0).payload().receive(new float[2], 2);
      expected = expected == null ? result : expected;
      assertThat(result).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** It may be with another gatherer, or in the block itself. So it goes alone. */
  @Test
  void aRestoredMemberIsNotWaitedForAndCombinedWithNone() throws IOException {
    add(gatherer, 2, 7, 1, 8);
    Gatherer restored = restored(gatherer);
    add(restored, 0, 1, 1, 2);

    restored.add(new GatherOrder(0, 1, List.of(id(0, 1)), List.of(id(2, 7), id(4, 3))));

    assertThat(parts)
        .extracting(Part::members)
        .containsExactlyInAnyOrder(
            TestDecisions.members(0),
            TestDecisions.members(2),
            TestDecisions.members(0),
            TestDecisions.members(2));
    assertThat(parts.get(1).payload().receive(new float[2], 2)).containsExactly(8, 8);
  }

  @Test
  void whoHasNoMemberSendsNothing() {
    gatherer.add(new GatherOrder(0, 1, List.of(), List.of(id(4, 3))));
    add(gatherer, 0, 1, 1, 2);
    order(gatherer, 2, id(0, 1));

    assertThat(parts).extracting(Part::round).containsExactly(2L, 2L);
  }

  @Test
  void whatWasSavedIsAsItWasThen() throws IOException {
    add(gatherer, 0, 1, 1, 2);
    List<Gatherer.Saved> saved = gatherer.save();
    order(gatherer, 1, id(0, 1));
    parts.clear();

    Gatherer restored = gatherer();
    for (Gatherer.Saved contribution : saved) {
      restored.restore(read(contribution));
    }
    restored.add(new GatherOrder(0, 1, List.of(), List.of(id(0, 1))));

    assertThat(parts).hasSize(2);
    assertThat(gatherer.save()).as("nothing waits any more").isEmpty();
  }

  @Test
  void noCheckpointIsTakenAmidARound() {
    order(gatherer, 4, id(0, 1));

    assertThatIllegalStateException()
        .isThrownBy(gatherer::save)
        .withMessage("Round 4 is decided, and contributions to block 0 of it aren't here");
  }

  @Test
  void aContributionComesOnce() {
    add(gatherer, 0, 1, 1, 2);

    assertThatIllegalStateException()
        .isThrownBy(() -> add(gatherer, 0, 1, 1, 2))
        .withMessage("Contribution 1 of replica 0 came twice for block 0");
  }

  @Test
  void aMedianIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Gatherer(LAYOUT, Aggregator.median(), parts::add))
        .withMessageContaining("needs all members of a round in one place");
  }

  /** They are means, whatever becomes of other parameters. */
  @Test
  void runningStatisticsAndUpdaterStateAreAveragedUnderASum() {
    BlockLayout mixed = new BlockLayout(4, 2, 2, List.of(), List.of(new IndexRange(1, 2)));
    Gatherer summing = new Gatherer(mixed, Aggregator.sum(), parts::add);
    add(summing, 0, 1, 1, 2);
    add(summing, 1, 1, 3, 6);

    order(summing, 1, id(0, 1), id(1, 1));

    assertThat(parts.get(0).payload().receive(new float[2], 2)).containsExactly(8, 5);
    assertThat(parts.get(1).payload().receive(new float[2], 2)).containsExactly(5, 5);
  }

  @Test
  void anOrderComesBackAsItWas() throws IOException {
    GatherOrder order = new GatherOrder(3, 5, List.of(id(0, 1)), List.of(id(4, 3), id(5, 1)));

    assertThat(GatherOrder.WIRE.read(read(out -> GatherOrder.WIRE.write(order, out))))
        .isEqualTo(order);
  }

  private Gatherer gatherer() {
    return new Gatherer(LAYOUT, Aggregator.weightedMean(), parts::add);
  }

  private Gatherer restored(Gatherer saved) throws IOException {
    Gatherer restored = gatherer();
    for (Gatherer.Saved contribution : saved.save()) {
      restored.restore(read(contribution));
    }
    return restored;
  }

  private static DataInputStream read(Gatherer.Saved saved) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    saved.write(new DataOutputStream(bytes));
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  /** A contribution of {@code change} to every value. */
  private static void add(
      Gatherer gatherer, int replica, long sequence, double weight, float change) {
    float[] changes = new float[2];
    Arrays.fill(changes, change);
    for (int block = 0; block < LAYOUT.count(); block++) {
      gatherer.add(
          new Contribution(block, replica, sequence, weight, TestPayloads.float32(0, changes, 2)));
    }
  }

  private static void order(Gatherer gatherer, long round, ContributionId... members) {
    gatherer.add(new GatherOrder(0, round, List.of(members), List.of()));
  }

  private static ContributionId id(int replica, long sequence) {
    return new ContributionId(replica, sequence);
  }
}
