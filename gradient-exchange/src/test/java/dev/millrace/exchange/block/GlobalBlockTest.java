package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Member;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GlobalBlockTest {

  private final Combiner combiner =
      new Combiner(
          new BlockLayout(2, 2, 1, List.of(new IndexRange(1, 2))),
          Codec.float32(),
          Aggregator.weightedMean(),
          ServerOptimizer.none(1));
  private GlobalBlock block = new GlobalBlock(0);

  @BeforeEach
  void initialize() {
    block.initialize(new float[] {1, 1}, combiner);
  }

  @Test
  void addsTheMeanOfTheChangesWeightedByExamples() {
    block.add(decision(1, new Member(0, 1, 3), new Member(1, 1, 1)));
    block.add(contribution(0, 1, 4, 8));
    assertThat(block.advance(combiner)).as("a contribution is missing").isNull();
    block.add(contribution(1, 1, 0, 4));

    assertThat(block.advance(combiner)).isNotNull();

    assertThat(block.update().values()).containsExactly(4, 8);
    assertThat(block.update().included().of(1)).isEqualTo(1);
    assertThat(block.round()).isEqualTo(1);
  }

  @Test
  void keepsSecondMomentsFromFallingBelowZero() {
    block.add(contribution(0, 1, -5, -5));
    block.add(decision(1, new Member(0, 1, 1)));

    block.advance(combiner);

    assertThat(block.update().values()).containsExactly(-4, 0);
  }

  @Test
  void refusesAContributionThatCameBefore() {
    block.add(contribution(0, 1, 1, 1));
    assertThatThrownBy(() -> block.add(contribution(0, 1, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
    block.add(decision(1, new Member(0, 1, 1)));
    block.advance(combiner);

    assertThatThrownBy(() -> block.add(contribution(0, 1, 1, 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void makesRoundsInTheirOrderOnly() {
    block.add(contribution(0, 1, 1, 1));
    block.add(decision(2, new Member(0, 1, 1)));

    assertThatThrownBy(() -> block.advance(combiner)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isTheSameAfterARestore() throws IOException {
    block.add(contribution(0, 1, 1, 1));
    block.add(decision(1, new Member(0, 1, 1), new Member(1, 1, 1)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));

    block = GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    block.add(contribution(1, 1, 3, 3));
    assertThat(block.advance(combiner)).isNotNull();
    assertThat(block.update().values()).containsExactly(3, 3);
  }

  private static Decision decision(long round, Member... members) {
    return new Decision(0, round, List.of(members), false);
  }

  private static Contribution contribution(int replica, long sequence, float... change) {
    return new Contribution(
        0, replica, sequence, Codec.float32().encoder(List.of()).encode(0, change, change.length));
  }
}
