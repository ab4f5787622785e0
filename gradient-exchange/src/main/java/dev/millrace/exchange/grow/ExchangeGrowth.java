package dev.millrace.exchange.grow;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.grow.GrownModel;
import dev.millrace.model.grow.Growth;
import dev.millrace.model.grow.Places;
import java.util.Arrays;

/**
 * How what the exchange keeps of a model becomes that of the grown one.
 *
 * @param growth of each array of the vector's length
 * @param places of features and outputs
 * @param from how the exchanged part of the vector was cut into blocks
 * @param spec of the grown model
 * @param to how that is cut
 */
public record ExchangeGrowth(
    Growth growth, Places places, BlockLayout from, ModelSpec spec, BlockLayout to) {

  /** Moves values of the exchanged part, or of its parameters alone. */
  public float[] apply(float[] old) {
    return growth.apply(old);
  }

  /**
   * Moves values of the exchanged part, or of its parameters alone, for a model to begin with.
   *
   * @param fresh those that it has when it is new
   */
  public float[] begin(float[] old, float[] fresh) {
    return GrownModel.begin(growth, places, old, fresh);
  }

  /** Returns a block of the grown model's values. */
  public float[] block(float[] grown, int block) {
    return Arrays.copyOfRange(grown, to.offset(block), to.offset(block) + to.size(block));
  }
}
