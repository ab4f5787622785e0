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

  void requireSame(ModelState undisturbed, ModelState disturbed) {
    for (GlobalBlock block : undisturbed.blocks().values()) {
      float[] values = block.update().values();
      float[] others = disturbed.blocks().get(block.block()).update().values();
      checks.require(
          SAME,
          Arrays.equals(values, others),
          () ->
              "block %s ends with %s, and undisturbed with %s"
                  .formatted(block.block(), Arrays.toString(others), Arrays.toString(values)));
    }
  }
}
