package dev.millrace.simulate.job;

import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.simulate.task.SavedState;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The global model that a checkpoint has.
 *
 * @param coordinator what it says of it
 * @param blocks by number
 */
public record ModelState(Coordinator coordinator, SortedMap<Integer, GlobalBlock> blocks) {

  /** Reads it. */
  public static ModelState of(Completed checkpoint) {
    try {
      return new ModelState(coordinator(checkpoint), blocks(checkpoint));
    } catch (IOException e) {
      throw new IllegalStateException("The checkpoint can't be read", e);
    }
  }

  private static Coordinator coordinator(Completed checkpoint) {
    SavedState saved = checkpoint.part(Graph.COORDINATOR, 0).get(0);
    try {
      List<byte[]> strings =
          ByteStringState.strings(saved.list(ByteStringState.descriptor(CoordinatorState.NAME)));
      return CoordinatorState.read(strings.get(0)).coordinator();
    } catch (Exception e) {
      throw new IllegalStateException("The coordinator's state can't be read", e);
    }
  }

  private static SortedMap<Integer, GlobalBlock> blocks(Completed checkpoint) throws IOException {
    SortedMap<Integer, GlobalBlock> blocks = new TreeMap<>();
    for (SavedState subtask : checkpoint.part(Graph.EXCHANGE, 0)) {
      for (byte[] bytes :
          subtask.keyed().getOrDefault(ExchangeOperator.STATE, java.util.Map.of()).values()) {
        GlobalBlock block = GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        blocks.put(block.block(), block);
      }
    }
    return blocks;
  }
}
