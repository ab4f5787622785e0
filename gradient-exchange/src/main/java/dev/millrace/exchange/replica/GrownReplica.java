package dev.millrace.exchange.replica;

import dev.millrace.exchange.grow.ExchangeGrowth;
import dev.millrace.model.BlockLayout;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes of a saved replica one of the grown model. What it has learned and not yet contributed
 * moves with the values. What its codecs remember begins anew, but for what they left out.
 */
public final class GrownReplica {

  private static final long UNKNOWN = -1;

  private final ExchangeGrowth growth;
  private final float[] global;

  /**
   * Makes replicas of one model.
   *
   * @param global the exchanged values of the global model before it grew
   */
  public GrownReplica(ExchangeGrowth growth, float[] global) {
    this.growth = growth;
    this.global = global;
  }

  /**
   * Makes one.
   *
   * @param saved as {@link SavedReplica#write} wrote it
   * @return what it would write of the grown one
   */
  public byte[] of(DataInput saved) throws IOException {
    ReplicaState state = ReplicaState.read(saved);
    SavedVector vector = vector(saved);
    return SavedReplica.of(
            state.grown(growth.places(), VectorSize.of(growth.spec(), growth.to())), vector)
        .toBytes();
  }

  private SavedVector vector(DataInput saved) throws IOException {
    SavedBlock[] blocks = blocks(saved);
    float[][] rest = rest(SavedVector.readArrays(saved));
    int codecs = SavedVector.readArrays(saved).length;
    float[][] residual = residual(SavedVector.readArrays(saved));
    float[][] nothing = new float[codecs][0];
    return new SavedVector(blocks, rest, nothing, residual);
  }

  /** Takes the global model's values where nothing is saved of a block. */
  private SavedBlock[] blocks(DataInput saved) throws IOException {
    BlockLayout from = growth.from();
    float[] values = global.clone();
    float[] anchor = global.clone();
    for (int b = 0; b < from.count(); b++) {
      SavedBlock block = SavedBlock.read(saved);
      if (block != null) {
        System.arraycopy(block.values(), 0, values, from.offset(b), from.size(b));
        System.arraycopy(block.anchor(), 0, anchor, from.offset(b), from.size(b));
      }
    }
    float[] grownValues = growth.apply(values);
    float[] grownAnchor = growth.apply(anchor);
    SavedBlock[] blocks = new SavedBlock[growth.to().count()];
    Arrays.setAll(
        blocks,
        b ->
            SavedBlock.differing(
                UNKNOWN, growth.block(grownValues, b), growth.block(grownAnchor, b)));
    return blocks;
  }

  /** The updater's state, where that isn't exchanged. */
  private float[][] rest(float[][] pieces) {
    int rest = growth.spec().vectorLength() - growth.to().length();
    if (rest == 0) {
      return new float[0][];
    }
    int old = Arrays.stream(pieces).mapToInt(piece -> piece.length).sum();
    float[] vector = new float[growth.from().length() + old];
    int at = growth.from().length();
    for (float[] piece : pieces) {
      System.arraycopy(piece, 0, vector, at, piece.length);
      at += piece.length;
    }
    float[] grown = growth.apply(vector);
    int size = growth.to().blockSize();
    List<float[]> all = new ArrayList<>();
    for (int from = growth.to().length(); from < grown.length; from += size) {
      all.add(Arrays.copyOfRange(grown, from, Math.min(grown.length, from + size)));
    }
    return all.toArray(float[][]::new);
  }

  private float[][] residual(float[][] saved) {
    BlockLayout from = growth.from();
    float[] left = new float[from.length()];
    for (int b = 0; b < saved.length; b++) {
      System.arraycopy(saved[b], 0, left, from.offset(b), saved[b].length);
    }
    float[] grown = growth.apply(left);
    float[][] residual = new float[growth.to().count()][];
    for (int b = 0; b < residual.length; b++) {
      float[] block = growth.block(grown, b);
      boolean nothing = Arrays.equals(block, new float[block.length]);
      residual[b] = nothing ? new float[0] : block;
    }
    return residual;
  }
}
