package dev.millrace.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.junit.jupiter.api.Test;

class MemoryTest {

  @Test
  void isWhatTheDocumentsSay() {
    Memory memory = new Memory(2_000_000, 2, 4);

    assertThat(memory.taskHeap()).isEqualTo(MemorySize.ofMebiBytes(345));
    assertThat(memory.taskOffHeap()).isEqualTo(MemorySize.ofMebiBytes(380));
    assertThat(memory.network()).isEqualTo(MemorySize.ofMebiBytes(64));
    assertThat(new Memory(2_000_000, 4, 64).network()).isEqualTo(MemorySize.ofMebiBytes(308));
  }

  /** A table's and an image's model, of 2 and of 6 replicas. */
  @Test
  void theExamplesOfSizesAreRight() throws IOException {
    assertThat(Files.readString(Path.of("..", "..", "..", "docs", "internals", "tuning.md")))
        .contains(
            "| task heap, task off-heap, network | %s MB | %s MB |"
                .formatted(sizes(new Memory(47_253, 2, 2)), sizes(new Memory(862_160, 2, 6))));
  }

  private static String sizes(Memory memory) {
    return Stream.of(memory.taskHeap(), memory.taskOffHeap(), memory.network())
        .map(size -> Integer.toString(size.getMebiBytes()))
        .collect(Collectors.joining(", "));
  }

  @Test
  void growsWithModelAndSlots() {
    assertThat(new Memory(200_000_000, 1, 1).taskHeap())
        .isGreaterThan(new Memory(100_000_000, 1, 1).taskHeap());
    assertThat(new Memory(1_000_000, 8, 8).taskOffHeap())
        .isGreaterThan(new Memory(1_000_000, 4, 8).taskOffHeap());
  }

  @Test
  void flinkAcceptsIt() {
    Configuration flink = new Configuration();
    flink.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    new Memory(10_000_000, 2, 8).applyTo(flink);

    assertThat(TaskExecutorProcessUtils.processSpecFromConfig(flink).getTaskHeapSize())
        .isEqualTo(new Memory(10_000_000, 2, 8).taskHeap());
  }
}
