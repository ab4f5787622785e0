package dev.millrace.exchange.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockChange;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeedbackReceiversTest {

  private static final int BLOCK = 0;

  private final Map<String, ReplicaLink> links = new HashMap<>();
  private final List<Delivery> sent = new ArrayList<>();
  private final FeedbackReceivers receivers = new FeedbackReceivers(links::get, sent::add);
  private final Combiner combiner =
      new Combiner(
          new BlockLayout(2, 2, 2, List.of()),
          Aggregator.sum(),
          ServerOptimizer.none(1),
          new FeedbackCodecs(Codec.float32(), Codec.float32()));
  private final GlobalBlock block = new GlobalBlock(BLOCK);

  @Test
  void aReplicaOfTheSameProcessGetsACopyThroughItsLink() {
    links.put("here/1", new ReplicaLink("here/1"));
    begin();
    ask(1, "here");

    assertThat(links.get("here/1").handOver(new Contribution(BLOCK, 1, 1, 1, TestPayloads.of())))
        .isInstanceOf(Handover.class);
    round(1, 10);
    BlockUpdate first = received(1).get(0);
    round(2, 100);

    assertThat(sent).isEmpty();
    assertThat(first.round()).isEqualTo(1);
    assertThat(first.values()).containsExactly(11, 12);
    assertThat(received(1))
        .singleElement()
        .satisfies(update -> assertThat(update.values()).containsExactly(111, 112));
  }

  @Test
  void anotherProcessIsToldOnceForAllItsReplicas() {
    begin();
    ask(2, "there");
    ask(3, "there");
    ask(4, "beyond");
    sent.clear();

    round(1, 10);

    assertThat(sent).extracting(Delivery::sink).containsExactlyInAnyOrder(2, 4);
    assertThat(sent).extracting(Delivery::feedback).allMatch(BlockChange.class::isInstance);
  }

  @Test
  void whoeverAsksIsToldAllOfTheBlockFirst() {
    begin();
    round(1, 10);
    assertThat(sent).isEmpty();

    ask(2, "there");
    assertThat(sent)
        .singleElement()
        .isEqualTo(new Delivery(2, List.of("there/2"), block.feedback(combiner, true)));

    ask(3, "there");
    assertThat(sent)
        .hasSize(2)
        .last()
        .isEqualTo(new Delivery(2, List.of("there/2", "there/3"), block.feedback(combiner, true)));
  }

  @Test
  void nobodyIsToldTwiceBecauseAnotherAsks() {
    links.put("here/1", new ReplicaLink("here/1"));
    begin();
    ask(1, "here");
    ask(2, "there");
    received(1);
    sent.clear();

    ask(4, "beyond");

    assertThat(received(1)).isEmpty();
    assertThat(sent).singleElement().satisfies(one -> assertThat(one.sink()).isEqualTo(4));
  }

  @Test
  void whoAskedBeforeThereWasABlockIsToldWhenThereIsOne() {
    ask(2, "there");
    assertThat(sent).isEmpty();

    begin();
    ask(4, "beyond");

    assertThat(sent).extracting(Delivery::sink).containsExactlyInAnyOrder(2, 4);
  }

  private void begin() {
    block.initialize(new float[] {1, 2}, ServerOptimizerState.NONE, combiner);
  }

  private void ask(int replica, String home) {
    receivers.ask(
        new Pull(BLOCK, new float[0], ServerOptimizerState.NONE, replica, home + "/" + replica));
    if (block.isInitialized()) {
      receivers.answer(block, combiner);
    }
  }

  /** Adds {@code change} to both values. */
  private void round(long round, float change) {
    Payload payload = TestPayloads.float32(0, new float[] {change, change}, 2);
    block.add(new Contribution(BLOCK, 9, round, 1, payload));
    block.add(TestDecisions.decision(BLOCK, round, false, 9));
    block.advance(combiner);
    receivers.tell(block, combiner);
  }

  private List<BlockUpdate> received(int replica) {
    List<BlockUpdate> updates = new ArrayList<>();
    links.get("here/" + replica).feedback().drain((head, standing) -> {}, updates::add);
    return updates;
  }
}
