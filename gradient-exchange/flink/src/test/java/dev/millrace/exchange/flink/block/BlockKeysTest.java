package dev.millrace.exchange.flink.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockKeysTest {

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "7,2", "7,3", "128,5", "400,2", "400,7", "1000,16"})
  void blocksSpreadEvenlyOverSubtasks(int blocks, int subtasks) {
    BlockKeys keys = new BlockKeys(blocks, 128);

    long[] owned =
        IntStream.range(0, subtasks)
            .mapToLong(
                subtask ->
                    IntStream.range(0, blocks)
                        .filter(block -> keys.isOwned(block, subtask, subtasks))
                        .count())
            .toArray();

    assertThat(IntStream.range(0, blocks).map(keys::keyOf).distinct().count()).isEqualTo(blocks);
    for (long count : owned) {
      assertThat((double) count)
          .isCloseTo((double) blocks / subtasks, Offset.offset(0.05 * blocks + 1));
    }
    assertThat(LongStream.of(owned).sum()).as("every block has one owner").isEqualTo(blocks);
  }
}
