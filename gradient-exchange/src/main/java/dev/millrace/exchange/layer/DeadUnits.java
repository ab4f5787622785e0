package dev.millrace.exchange.layer;

import dev.millrace.model.LayerActivations;
import java.util.Arrays;

/** Units that give the same for all examples: rectified ones at zero, others at a bound. */
final class DeadUnits {

  private static final float SAME = 1e-6f;

  private DeadUnits() {}

  /** Returns what share of a layer's units is dead, from 0 to 1. */
  static double share(LayerActivations layer) {
    int units = layer.units();
    float[] least = Arrays.copyOf(layer.values(), units);
    float[] most = Arrays.copyOf(layer.values(), units);
    for (int from = 0; from < layer.values().length; from += units) {
      for (int unit = 0; unit < units; unit++) {
        least[unit] = Math.min(least[unit], layer.values()[from + unit]);
        most[unit] = Math.max(most[unit], layer.values()[from + unit]);
      }
    }
    int dead = 0;
    for (int unit = 0; unit < units; unit++) {
      dead += most[unit] - least[unit] <= SAME ? 1 : 0;
    }
    return (double) dead / units;
  }
}
