package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.io.DataInput;
import java.io.IOException;
import java.util.BitSet;
import java.util.Locale;

/** Puts saved blocks together, in any order, and takes none that doesn't belong. */
final class SavedBlocks {

  private final String savepoint;
  private final BlockLayout layout;
  private final long round;
  private final boolean average;
  private final SavedModelReader.Progress progress;
  private final float[] vector;
  private final SavedOptimizer optimizer;
  private final BitSet present = new BitSet();
  private long bytes;

  /**
   * @param savepoint names it in messages
   * @param round that every block must be of
   * @param average whether to take the moving average, in the place of the newest values
   */
  SavedBlocks(
      String savepoint,
      BlockLayout layout,
      long round,
      boolean average,
      SavedModelReader.Progress progress)
      throws SavepointException {
    this.savepoint = savepoint;
    this.layout = layout;
    this.round = round;
    this.average = average;
    this.progress = progress;
    this.vector = allocate();
    this.optimizer = new SavedOptimizer(layout);
  }

  private float[] allocate() throws SavepointException {
    int length = average ? layout.parameters() : layout.length();
    try {
      return new float[length];
    } catch (OutOfMemoryError e) {
      throw tooLarge(length);
    }
  }

  private SavepointException tooLarge(long values) {
    return new SavepointException(
        String.format(
            Locale.ROOT,
            "The model in %s takes %,d MB of heap, and the JVM has %,d MB in all: give it more, by"
                + " MILLRACE_JAVA_OPTS=-Xmx…",
            savepoint,
            Float.BYTES * values / 1_000_000,
            Runtime.getRuntime().maxMemory() / 1_000_000));
  }

  /**
   * Takes one block, as {@link GlobalBlock#write} wrote it.
   *
   * @throws SavepointException if it isn't one that is missing, is of another round, or has no
   *     moving average where that is asked for
   */
  void add(DataInput in, int length) throws IOException {
    GlobalBlock saved = GlobalBlock.readCombined(in);
    BlockUpdate update = saved.update();
    int block = update.block();
    int values = update.values().length;
    require(block >= 0 && block < layout.count(), "has a block " + block);
    String name = "block " + block;
    require(!present.get(block), "has %s twice".formatted(name));
    require(
        values > 0,
        "was taken before a replica brought the first model, which %s lacks".formatted(name));
    require(values == layout.size(block), "has %s values in %s".formatted(values, name));
    require(saved.round() == round, "has %s of round %s".formatted(name, saved.round()));
    if (average) {
      addAverage(block, saved.average());
    } else {
      require(
          addOptimizerState(block, saved.optimizerState()),
          "has %s values of a server optimizer's state in %s, which don't go with the others'"
              .formatted(saved.optimizerState().length, name));
      System.arraycopy(update.values(), 0, vector, layout.offset(block), values);
    }
    present.set(block);
    bytes += length;
    progress.read(present.cardinality(), layout.count(), bytes);
  }

  private void addAverage(int block, float[] values) throws SavepointException {
    if (values.length != layout.parameters(block)) {
      throw new SavepointException(
          "%s holds no moving average: its job kept none. Take the newest parameters instead"
              .formatted(savepoint));
    }
    if (values.length > 0) {
      System.arraycopy(values, 0, vector, layout.offset(block), values.length);
    }
  }

  private boolean addOptimizerState(int block, float[] state) throws SavepointException {
    try {
      return optimizer.add(block, state);
    } catch (OutOfMemoryError e) {
      throw tooLarge(layout.length() + optimizer.size());
    }
  }

  /** Returns what the server optimizer keeps of the blocks that have come. */
  ServerOptimizerState serverOptimizer() {
    return optimizer.state();
  }

  /**
   * The whole vector; of a moving average, the parameters alone.
   *
   * @throws SavepointException if there is a block that never came
   */
  float[] vector() throws SavepointException {
    int missing = layout.count() - present.cardinality();
    require(
        missing == 0,
        "lacks %s of them, first of all block %s".formatted(missing, present.nextClearBit(0)));
    return vector;
  }

  private void require(boolean condition, String otherwise) throws SavepointException {
    if (!condition) {
      throw new SavepointException(
          "%s holds no whole model of round %s in %s blocks: it %s"
              .formatted(savepoint, round, layout.count(), otherwise));
    }
  }
}
