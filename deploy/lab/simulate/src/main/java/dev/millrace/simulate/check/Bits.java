package dev.millrace.simulate.check;

import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.simulate.job.ModelState;
import java.util.Arrays;

/** Whether a disturbed job ends as the same job does undisturbed, to the bit. */
final class Bits {

  private static final String SAME = "18 under sync failures change no bit";

  private final Checks checks;

  Bits(Checks checks) {
    this.checks = checks;
  }

  /** Compares the blocks that both have: one that ended sooner isn't in the last checkpoint. */
  void requireSame(ModelState undisturbed, ModelState disturbed) {
    disturbed
        .blocks()
        .forEach(
            (number, block) -> {
              GlobalBlock other = undisturbed.blocks().get(number);
              if (other != null) {
                requireSame(number, other.update().values(), block.update().values());
              }
            });
  }

  private void requireSame(int block, float[] undisturbed, float[] disturbed) {
    checks.require(
        SAME,
        Arrays.equals(undisturbed, disturbed),
        () ->
            "block %s ends with %s, and undisturbed with %s"
                .formatted(block, Arrays.toString(disturbed), Arrays.toString(undisturbed)));
  }
}
