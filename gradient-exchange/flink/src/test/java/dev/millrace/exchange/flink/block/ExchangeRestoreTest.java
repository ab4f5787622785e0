package dev.millrace.exchange.flink.block;

import static dev.millrace.exchange.flink.block.ExchangeFleet.BLOCKS;
import static dev.millrace.exchange.flink.block.ExchangeFleet.contribution;
import static dev.millrace.exchange.flink.block.ExchangeFleet.pull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.publication.PublishedPart;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ExchangeOperator} and checkpoints, at another parallelism too. */
class ExchangeRestoreTest {

  @Test
  void eachSubtaskKeepsTheBlocksWhoseKeysAreItsOwn() throws Exception {
    try (var exchange = ExchangeFleet.start(3)) {
      exchange.begin();

      exchange.snapshot(1);

      assertThat(exchange.entries()).containsExactly(2, 2, 2);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 2", "2, 3", "3, 2", "1, 6"})
  void everyBlockIsRestoredOnceWithWhatItWaitsFor(int before, int after) throws Exception {
    List<OperatorSubtaskState> saved;
    try (var exchange = ExchangeFleet.start(before)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      exchange.decide(1, false, 0);
      exchange.contribute(0, 2, 100);
      exchange.decide(2, false, 0, 1);
      saved = exchange.snapshot(1);
    }
    try (var exchange = ExchangeFleet.restore(saved, after)) {
      assertThat(exchange.entries().stream().mapToInt(count -> count).sum()).isEqualTo(BLOCKS);
      exchange.beforeBarrier(2);
      assertThat(values(exchange)).isEqualTo(expected(10));
      exchange.contribute(1, 1, 1000);

      exchange.finish();

      assertThat(values(exchange)).as("with what waited").isEqualTo(expected(1110));
    }
  }

  @Test
  void anUntouchedBlockIsInTheCheckpointAfterARestoreToo() throws Exception {
    List<OperatorSubtaskState> first;
    try (var exchange = ExchangeFleet.start(2)) {
      exchange.begin();
      first = exchange.snapshot(1);
    }
    List<OperatorSubtaskState> second;
    try (var exchange = ExchangeFleet.restore(first, 2)) {
      exchange.tell(contribution(0, 0, 1, 10));
      second = exchange.snapshot(2);
    }
    try (var exchange = ExchangeFleet.restore(second, 1)) {
      exchange.finish();

      assertThat(values(exchange)).isEqualTo(expected(0));
    }
  }

  @Test
  void theNextCheckpointHoldsAllThatAnAbortedOneHeldAndWhatCameSince() throws Exception {
    List<OperatorSubtaskState> saved;
    try (var exchange = ExchangeFleet.start(2)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      exchange.decide(1, false, 0);
      exchange.snapshot(1);
      exchange.contribute(0, 2, 100);
      exchange.decide(2, false, 0);
      exchange.abort(1);
      assertThat(exchange.published()).isEmpty();
      saved = exchange.snapshot(2);
    }
    try (var exchange = ExchangeFleet.restore(saved, 2)) {
      exchange.finish();

      assertThat(values(exchange)).isEqualTo(expected(110));
    }
  }

  @Test
  void aContributionFromBeforeTheCheckpointIsRefusedAfterIt() throws Exception {
    List<OperatorSubtaskState> saved;
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      exchange.decide(1, false, 0);
      exchange.contribute(1, 1, 10);
      saved = exchange.snapshot(1);
    }
    try (var exchange = ExchangeFleet.restore(saved, 2)) {
      assertThatIllegalStateException()
          .as("one that is in the block")
          .isThrownBy(() -> exchange.tell(contribution(5, 0, 1, 10)));
      assertThatIllegalStateException()
          .as("one that waits")
          .isThrownBy(() -> exchange.tell(contribution(5, 1, 1, 10)))
          .withMessage("Contribution 1 of replica 1 came twice to block 5");
    }
  }

  @Test
  void nobodyIsToldAfterARestoreUntilItAsks() throws Exception {
    List<OperatorSubtaskState> saved;
    try (var exchange = ExchangeFleet.start(1)) {
      exchange.begin();
      exchange.contribute(0, 1, 10);
      saved = exchange.snapshot(1);
    }
    try (var exchange = ExchangeFleet.restore(saved, 1)) {
      exchange.decide(1, false, 0);
      assertThat(exchange.deliveries()).isEmpty();

      exchange.tell(pull(5, 1, "there/1", 77));

      assertThat(exchange.deliveries())
          .singleElement()
          .satisfies(
              delivery ->
                  assertThat(((BlockUpdate) delivery.feedback()).values())
                      .as("the restored block, not what is offered")
                      .containsExactly(15));
    }
  }

  /** By block, of the model that was just published; a block that comes twice fails. */
  private static Map<Integer, Float> values(ExchangeFleet exchange) {
    Map<Integer, Float> values = new TreeMap<>();
    for (PublishedPart.Block part : exchange.published()) {
      assertThat(values.put(part.block(), part.values()[0])).as("block twice").isNull();
    }
    return values;
  }

  private static Map<Integer, Float> expected(float change) {
    Map<Integer, Float> values = new TreeMap<>();
    for (int block = 0; block < BLOCKS; block++) {
      values.put(block, block + change);
    }
    return values;
  }
}
