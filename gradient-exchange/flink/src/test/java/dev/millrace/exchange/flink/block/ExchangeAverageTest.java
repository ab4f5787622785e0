package dev.millrace.exchange.flink.block;

import static dev.millrace.exchange.flink.block.ExchangeFleet.BLOCKS;
import static dev.millrace.exchange.flink.block.ExchangeFleet.pull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.publication.PublishedPart;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;

/** {@link ExchangeOperator} where blocks keep a moving average. */
class ExchangeAverageTest {

  /** A round of one example: after some, it moves half of the way. */
  private static final Averaging PUBLISHED = new Averaging(1, true);

  private static final Averaging KEPT = new Averaging(1, false);
  private static final int ROUNDS = 12;

  @Test
  void theAverageIsPublishedAndReplicasAreToldTheNewestValues() throws Exception {
    try (var exchange = ExchangeFleet.start(2, PUBLISHED)) {
      exchange.begin();
      makeRounds(exchange, 0);

      exchange.contribute(0, ROUNDS + 1, 100);
      exchange.decide(ROUNDS + 1, true, 0);

      assertThat(exchange.deliveries())
          .hasSize(BLOCKS)
          .allSatisfy(
              told ->
                  assertThat(((BlockUpdate) told.feedback()).values())
                      .containsExactly(told.feedback().block() + 100));
      assertThat(exchange.published())
          .hasSize(BLOCKS)
          .allSatisfy(
              part -> {
                assertThat(part.movingAverage()).isTrue();
                assertThat(part.round()).isEqualTo(ROUNDS + 1);
                assertThat(part.values()).containsExactly(part.block() + 50);
              });
    }
  }

  @Test
  void whereTheNewestModelIsPublishedTheAverageIsInTheCheckpointAlone() throws Exception {
    try (var exchange = ExchangeFleet.start(1, KEPT)) {
      exchange.begin();
      makeRounds(exchange, 0);
      exchange.contribute(0, ROUNDS + 1, 100);
      exchange.decide(ROUNDS + 1, false, 0);

      exchange.beforeBarrier(1);

      assertThat(exchange.published())
          .hasSize(BLOCKS)
          .allSatisfy(
              part -> {
                assertThat(part.movingAverage()).isFalse();
                assertThat(part.values()).containsExactly(part.block() + 100);
              });
    }
  }

  /** Rounds before and after the restore make the same average as without one. */
  @Test
  void itGoesOnFromACheckpointAtAnotherParallelism() throws Exception {
    Map<Integer, Float> expected;
    List<OperatorSubtaskState> saved;
    try (var exchange = ExchangeFleet.start(3, PUBLISHED)) {
      exchange.begin();
      makeRounds(exchange, 3);
      saved = exchange.snapshot(1);
      moveOn(exchange);
      expected = averages(exchange);
    }
    try (var exchange = ExchangeFleet.restore(saved, 2, PUBLISHED)) {
      moveOn(exchange);

      assertThat(averages(exchange)).isEqualTo(expected);
    }
  }

  @Test
  void aJobWithoutItDropsItAndOneWithItBeginsItAsTheValuesAre() throws Exception {
    List<OperatorSubtaskState> with;
    try (var exchange = ExchangeFleet.start(1, PUBLISHED)) {
      exchange.begin();
      makeRounds(exchange, 0);
      exchange.contribute(0, ROUNDS + 1, 100);
      exchange.decide(ROUNDS + 1, false, 0);
      with = exchange.snapshot(1);
    }
    List<OperatorSubtaskState> without;
    try (var exchange = ExchangeFleet.restore(with, 1)) {
      // Each replica asks for each block before the first barrier.
      for (int block = 0; block < BLOCKS; block++) {
        exchange.tell(pull(block, 0, "there/0"));
      }
      without = exchange.snapshot(2);
    }
    try (var exchange = ExchangeFleet.restore(without, 1, PUBLISHED)) {
      exchange.beforeBarrier(3);

      assertThat(averages(exchange))
          .hasSize(BLOCKS)
          .allSatisfy((block, value) -> assertThat(value).isEqualTo(block + 100));
    }
  }

  /** Rounds of one example each that change all values. */
  private static void makeRounds(ExchangeFleet exchange, float change) throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      exchange.contribute(0, round, change);
      exchange.decide(round, false, 0);
    }
    exchange.deliveries();
  }

  private static void moveOn(ExchangeFleet exchange) throws Exception {
    for (int round = ROUNDS + 1; round <= ROUNDS + 5; round++) {
      exchange.contribute(0, round, 7);
      exchange.decide(round, false, 0);
    }
    exchange.beforeBarrier(9);
  }

  /** By block, of the model that was just published. */
  private static Map<Integer, Float> averages(ExchangeFleet exchange) {
    Map<Integer, Float> values = new TreeMap<>();
    for (PublishedPart.Block part : exchange.published()) {
      assertThat(part.movingAverage()).isTrue();
      values.put(part.block(), part.values()[0]);
    }
    return values;
  }
}
