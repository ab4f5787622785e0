package dev.millrace.exchange.flink.block;

import static dev.millrace.exchange.flink.block.ExchangeFleet.BLOCKS;
import static dev.millrace.exchange.flink.block.ExchangeFleet.contribution;
import static dev.millrace.exchange.flink.block.ExchangeFleet.pull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.LoggedWaits;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.TestDecisions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link ExchangeOperator} does with what comes. What it keeps: ExchangeRestoreTest. */
class ExchangeOperatorTest {

  @Test
  void whoAsksIsToldTheWholeBlock() throws Exception {
    try (var exchange = ExchangeFleet.start(2)) {
      exchange.tell(pull(4, 1, "there/1"));
      assertThat(exchange.deliveries()).as("there is no block yet").isEmpty();

      exchange.tell(pull(4, 0, "beyond/0", 44));

      assertThat(exchange.deliveries()).extracting(Delivery::sink).containsExactlyInAnyOrder(0, 1);
      exchange.tell(pull(4, 0, "beyond/0", 55));
      assertThat(exchange.deliveries())
          .singleElement()
          .satisfies(
              delivery -> {
                assertThat(delivery.homes()).containsExactly("beyond/0");
                BlockUpdate update = (BlockUpdate) delivery.feedback();
                assertThat(update.block()).isEqualTo(4);
                assertThat(update.values()).as("what was offered first").containsExactly(44);
              });
    }
  }

  @Test
  void aRoundIsMadeInABlockWhenAllItsContributionsAreThere() throws Exception {
    try (var exchange = ExchangeFleet.start(2)) {
      exchange.begin();
      exchange.decide(1, false, 0, 1);
      exchange.contribute(0, 1, 10);
      assertThat(exchange.deliveries()).isEmpty();

      exchange.tell(contribution(3, 1, 1, 100));

      assertThat(exchange.deliveries())
          .as("a late contribution is waited for by each block on its own")
          .singleElement()
          .satisfies(
              delivery -> {
                BlockUpdate update = (BlockUpdate) delivery.feedback();
                assertThat(update.block()).isEqualTo(3);
                assertThat(update.round()).isEqualTo(1);
                assertThat(update.values()).containsExactly(113);
              });
    }
  }

  /** It would be a fault; nothing else would tell of it. */
  @Test
  void aBlockThatWaitsForLongSaysWhoseContributionItLacks() throws Exception {
    try (var log = new LoggedWaits();
        var exchange = ExchangeFleet.start(1)) {
      exchange.tell(pull(0, 1, "there/1"));
      exchange.advance(LoggedWaits.INTERVAL);
      exchange.advance(LoggedWaits.INTERVAL);
      assertThat(log.told())
          .singleElement()
          .asString()
          .startsWith("Block 0 lacks the values that the model starts from;");
      exchange.begin();
      exchange.decide(1, false, 0, 1, 2);
      exchange.contribute(1, 1, 10);
      exchange.advance(LoggedWaits.INTERVAL);
      exchange.advance(LoggedWaits.INTERVAL);

      assertThat(log.told())
          .hasSize(2)
          .last()
          .asString()
          .startsWith("Round 1 of block 0 lacks the contributions of replicas {0, 2};");

      exchange.contribute(0, 1, 10);
      exchange.contribute(2, 1, 10);
      exchange.advance(LoggedWaits.INTERVAL.multipliedBy(2));
      exchange.advance(LoggedWaits.INTERVAL.multipliedBy(2));
      assertThat(log.told()).hasSize(2);
    }
  }

  @Test
  void roundsAreMadeInTheirOrder() throws Exception {
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.decide(1, true, 0);
      exchange.decide(2, true, 1);
      exchange.contribute(1, 1, 100);
      assertThat(exchange.published()).as("the first round is not complete").isEmpty();

      exchange.tell(contribution(0, 0, 1, 10));

      assertThat(exchange.published())
          .extracting(PublishedPart.Block::round, part -> part.values()[0])
          .containsExactly(tuple(1L, 10f), tuple(2L, 110f));
    }
  }

  @Test
  void aContributionThatComesAgainIsRefused() throws Exception {
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.tell(contribution(2, 0, 1, 10));
      assertThatIllegalStateException()
          .as("before its round")
          .isThrownBy(() -> exchange.tell(contribution(2, 0, 1, 10)))
          .withMessage("Contribution 1 of replica 0 came twice to block 2");

      exchange.tell(TestDecisions.decision(2, 1, false, 0));

      assertThatIllegalStateException()
          .as("after its round")
          .isThrownBy(() -> exchange.tell(contribution(2, 0, 1, 10)))
          .withMessage("Contribution 1 of replica 0 came twice to block 2");
    }
  }

  @Test
  void aRoundThatDoesNotFollowTheNewestIsRefused() throws Exception {
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      exchange.decide(1, false, 0);
      exchange.contribute(0, 2, 10);

      assertThatIllegalStateException()
          .isThrownBy(() -> exchange.decide(1, false, 0))
          .withMessage("Block 0 is at round 1 and can't make round 1");
    }
  }

  @Test
  void aModelThatExplodesFailsTheJobWithoutARestartBeforeAnybodyIsTold() throws Exception {
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.contribute(0, 1, 1e30f);
      exchange.contribute(1, 1, 1e30f);

      assertThatThrownBy(() -> exchange.decide(1, true, 0, 1))
          .isInstanceOf(NonRecoverableException.class)
          .hasMessageContaining("Block 0 of the global model");
      assertThat(exchange.deliveries()).isEmpty();
      assertThat(exchange.published()).isEmpty();
    }
  }

  @Test
  void aReplicaOfTheSameProcessIsToldAndHeardInMemory() throws Exception {
    ReplicaLink link = ReplicaLinks.open();
    try (var exchange = ExchangeFleet.start(2)) {
      for (int block = 0; block < BLOCKS; block++) {
        exchange.tell(pull(block, 0, link.home(), block));
      }
      assertThat(received(link)).hasSize(BLOCKS);

      for (int block = 0; block < BLOCKS; block++) {
        BlockMessage message = link.handOver(contribution(block, 0, 1, 10));
        assertThat(message).isInstanceOf(Handover.class);
        exchange.tell(message);
      }
      exchange.decide(1, false, 0);

      assertThat(received(link))
          .hasSize(BLOCKS)
          .allSatisfy(update -> assertThat(update.values()).containsExactly(update.block() + 10));
      assertThat(exchange.deliveries()).as("through the network").isEmpty();
    } finally {
      ReplicaLinks.close(link);
    }
  }

  @Test
  void aHandoverThatComesAgainIsRefused() throws Exception {
    ReplicaLink link = ReplicaLinks.open();
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.tell(pull(0, 0, link.home(), 0));
      BlockMessage message = link.handOver(contribution(0, 0, 1, 10));
      exchange.tell(message);

      assertThatIllegalStateException()
          .isThrownBy(() -> exchange.tell(message))
          .withMessage("Contribution 1 of replica 0 to block 0 isn't in this process");
    } finally {
      ReplicaLinks.close(link);
    }
  }

  @Test
  void whereNothingIsHandedOverAllGoesThroughTheNetwork() throws Exception {
    ReplicaLink link = ReplicaLinks.open();
    try (var exchange = ExchangeFleet.start(1, false, false)) {
      exchange.tell(pull(0, 0, link.home(), 7));

      assertThat(received(link)).isEmpty();
      assertThat(exchange.deliveries()).hasSize(1);
      assertThat(link.handOver(contribution(0, 0, 1, 10)))
          .as("the replica is not told that the block is here")
          .isInstanceOf(BlockMessage.Contribution.class);
    } finally {
      ReplicaLinks.close(link);
    }
  }

  @Test
  void theModelOfACheckpointGoesToThePublisherAheadOfTheBarrier() throws Exception {
    try (var exchange = ExchangeFleet.start(2)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      exchange.decide(1, false, 0);
      assertThat(exchange.published()).isEmpty();

      exchange.beforeBarrier(3);

      assertThat(exchange.published())
          .hasSize(BLOCKS)
          .allSatisfy(
              part -> {
                assertThat(part.trigger()).isEqualTo(PublicationTrigger.checkpoint(3));
                assertThat(part.round()).isEqualTo(1);
                assertThat(part.values()).containsExactly(part.block() + 10);
              })
          .extracting(PublishedPart.Block::block)
          .doesNotHaveDuplicates();
      exchange.snapshot(3);
      assertThat(exchange.published()).as("behind the barrier").isEmpty();
    }
  }

  @Test
  void withoutPublishingNothingGoesAheadOfABarrier() throws Exception {
    try (var exchange = ExchangeFleet.start(1, false, true)) {
      exchange.begin();

      exchange.beforeBarrier(3);

      assertThat(exchange.published()).isEmpty();
    }
  }

  @Test
  void atTheEndEachBlockIsPublishedOnce() throws Exception {
    try (var exchange = ExchangeFleet.start(2, false, true)) {
      exchange.begin();

      exchange.finish();

      assertThat(exchange.published())
          .hasSize(BLOCKS)
          .allSatisfy(part -> assertThat(part.trigger()).isEqualTo(PublicationTrigger.end()))
          .extracting(PublishedPart.Block::block)
          .doesNotHaveDuplicates();
    }
  }

  private static List<BlockUpdate> received(ReplicaLink link) {
    List<BlockUpdate> updates = new ArrayList<>();
    link.feedback().drain((head, standing) -> {}, updates::add);
    return updates;
  }
}
