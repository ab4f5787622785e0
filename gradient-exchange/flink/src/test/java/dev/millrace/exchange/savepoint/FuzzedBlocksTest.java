package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks of a savepoint, of any bytes, are taken or refused by an exception. */
class FuzzedBlocksTest {

  private static final Fuzz FUZZ = new Fuzz(IOException.class, RuntimeException.class);
  private static final BlockLayout LAYOUT = new BlockLayout(10, 4, 10, List.of());

  @Test
  void blocksAreTakenOrRefused() throws IOException {
    assertThat(blocks(3_000)).isGreaterThan(300);
  }

  static int blocks(int count) throws IOException {
    byte[] whole = SavedBlocksTest.saved(LAYOUT, 1, 1);
    return FUZZ.run(
        count,
        mutations -> {
          byte[] changed = mutations.bytes(whole);
          SavedBlocks blocks =
              new SavedBlocks(
                  "place", LAYOUT, 1, mutations.below(2) == 0, (some, all, bytes) -> {});
          SavedBlocksTest.add(blocks, changed);
          blocks.serverOptimizer();
        });
  }
}
