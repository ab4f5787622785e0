package dev.millrace.exchange.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.codec.TestPayloads;
import org.junit.jupiter.api.Test;

class ReplicaLinkTest {

  private final ReplicaLink link = new ReplicaLink("here/3");

  @Test
  void aContributionGoesWholeToABlockElsewhere() {
    link.isHere(1);
    Contribution contribution = contribution(0, 1);

    assertThat(link.handOver(contribution)).isSameAs(contribution);
  }

  @Test
  void thePayloadForABlockOfTheSameProcessIsLeftForIt() {
    link.isHere(1);
    Contribution first = contribution(1, 1);
    Contribution second = contribution(1, 2);

    Handover firstHandover = (Handover) link.handOver(first);
    Handover secondHandover = (Handover) link.handOver(second);

    assertThat(firstHandover).isEqualTo(new Handover(1, 3, 1, 5));
    assertThat(link.take(secondHandover).payload()).isSameAs(second.payload());
    assertThat(link.take(firstHandover).payload()).isSameAs(first.payload());
  }

  @Test
  void aPayloadIsTakenOnce() {
    link.isHere(1);
    Handover handover = (Handover) link.handOver(contribution(1, 1));
    link.take(handover);

    assertThatIllegalStateException()
        .isThrownBy(() -> link.take(handover))
        .withMessage("Contribution 1 of replica 3 to block 1 isn't in this process");
  }

  private static Contribution contribution(int block, long sequence) {
    return new Contribution(block, 3, sequence, 5, TestPayloads.of((byte) block));
  }
}
