package dev.millrace.exchange.block;

import dev.millrace.exchange.round.Treatment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.IndexRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Treatments of a block that its next change is to be followed by, in the order of their rounds.
 *
 * <p>Not thread-safe.
 */
final class WaitingTreatments {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final List<Treatment> waiting = new ArrayList<>();

  void add(Treatment treatment) {
    if (treatment.isSome()) {
      waiting.add(treatment);
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Treats the block with all of them, in place.
   *
   * @param optimizerState of the server optimizer
   * @return whether the values are those of a past model then
   */
  boolean apply(
      BlockLayout layout, int block, float[] values, float[] optimizerState, PastValues past) {
    boolean returned = false;
    for (Treatment treatment : waiting) {
      int number = treatment.past().returnTo();
      if (number > 0 && layout.parameters(block) > 0) {
        System.arraycopy(past.of(number), 0, values, 0, values.length);
        returned = true;
      }
      if (layout.parameters(block) > 0) {
        treatParameters(treatment, layout, block, values, optimizerState);
      } else if (treatment.resetUpdater()) {
        resetUpdater(layout, block, values);
      }
    }
    waiting.clear();
    return returned;
  }

  private static void treatParameters(
      Treatment treatment, BlockLayout layout, int block, float[] values, float[] optimizerState) {
    if (treatment.resetUpdater()) {
      Arrays.fill(optimizerState, 0);
    }
    if (treatment.changesParameters()) {
      float[] described = values.clone();
      // Its numbers are the same on every machine: it takes logarithm and root by StrictMath.
      Random numbers = new Random(treatment.seed() * GOLDEN + block);
      float shrink = (float) treatment.shrink();
      float noise = (float) treatment.noise();
      for (int i = 0; i < values.length; i++) {
        values[i] = shrink * values[i] + noise * (float) numbers.nextGaussian();
      }
      for (IndexRange range : layout.runningStatistics(block)) {
        System.arraycopy(described, range.from(), values, range.from(), range.length());
      }
    }
  }

  private static void resetUpdater(BlockLayout layout, int block, float[] values) {
    float[] moments = values.clone();
    Arrays.fill(values, 0);
    for (IndexRange range : layout.nonNegative(block)) {
      System.arraycopy(moments, range.from(), values, range.from(), range.length());
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(waiting.size());
    for (Treatment treatment : waiting) {
      treatment.write(out);
    }
  }

  /** Reads what {@link #write} wrote, and goes on from there. */
  void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      waiting.add(Treatment.read(in));
    }
  }
}
