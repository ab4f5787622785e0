package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A replica's values and their anchor: what the global model knows of them. The difference between
 * the two is what the replica has yet to contribute.
 *
 * <ul>
 *   <li>Contributing sends {@code values − anchor} and moves the anchor to the values, less what
 *       the codec left out.
 *   <li>A newer global block G makes {@code values := G + (values − anchor); anchor := G}. Where
 *       the two were equal the values become G exactly.
 * </ul>
 */
final class LocalVector {

  private static final long UNKNOWN = -1;

  /**
   * The greatest magnitude of a value that may be contributed, which no network that still learns
   * comes near: means and sums of many such changes stay finite.
   */
  private static final float GREATEST = 0x1p100f;

  private final ModelReplica model;
  private final BlockLayout layout;
  private final Encoder encoder;
  private final float[] anchor;
  private final long[] rounds;
  private final float[] block;
  private final Drift drift;

  /** Blocks that no global values have come for yet. */
  private int unknownBlocks;

  /** Whether values and anchor are the same, bit by bit. */
  private boolean clean;

  LocalVector(ModelReplica model, BlockLayout layout, Encoder encoder) {
    this.model = model;
    this.layout = layout;
    this.encoder = encoder;
    this.anchor = new float[layout.length()];
    this.rounds = new long[layout.count()];
    this.block = new float[layout.blockSize()];
    this.drift = new Drift(model.spec().parameters());
    this.clean = true;
    model.read(0, anchor, 0, anchor.length);
    forgetRounds();
  }

  /** Asks for every global block again, keeping values and anchor as they are. */
  void forgetRounds() {
    Arrays.fill(rounds, UNKNOWN);
    unknownBlocks = rounds.length;
  }

  boolean isComplete() {
    return unknownBlocks == 0;
  }

  void touch() {
    clean = false;
  }

  float[] values(int blockNumber) {
    float[] values = new float[layout.size(blockNumber)];
    model.read(layout.offset(blockNumber), values, 0, values.length);
    return values;
  }

  /** Whether all values are numbers, and none is beyond 2<sup>100</sup>. */
  boolean isSound() {
    for (int b = 0; b < layout.count(); b++) {
      int size = layout.size(b);
      model.read(layout.offset(b), block, 0, size);
      // Not "above": NaN is neither.
      if (!(greatest(block, size) <= GREATEST)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Goes back to the global model. Updater state that isn't exchanged starts anew, since it has
   * seen what led astray.
   */
  void reset() {
    model.write(0, anchor, 0, anchor.length);
    int own = model.spec().vectorLength() - anchor.length;
    model.write(anchor.length, new float[own], 0, own);
    clean = true;
  }

  void contribute(int replica, long sequence, Consumer<Contribution> out) {
    boolean nothingLeft = true;
    for (int b = 0; b < layout.count(); b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      drift.add(block, anchor, offset, size);
      takeChange(block, anchor, offset, size);
      Payload payload = encoder.send(offset, block, size);
      if (!encoder.isLossless()) {
        nothingLeft &= leave(offset, size);
      }
      out.accept(new Contribution(b, replica, sequence, payload));
    }
    drift.complete();
    encoder.complete();
    clean = nothingLeft;
  }

  /**
   * Keeps what the codec has left out of a block, and is in {@code block} now.
   *
   * @return whether it is nothing
   */
  private boolean leave(int offset, int size) {
    boolean nothing = true;
    for (int i = 0; i < size; i++) {
      anchor[offset + i] -= block[i];
      nothing &= block[i] == 0f;
    }
    if (encoder.clip(offset, block, size)) {
      for (int i = 0; i < size; i++) {
        block[i] += anchor[offset + i];
      }
      model.write(offset, block, 0, size);
    }
    return nothing;
  }

  // Loops over all values are methods of their own: the compiler makes vectors of them sooner.

  private static float greatest(float[] values, int size) {
    float greatest = 0;
    for (int i = 0; i < size; i++) {
      greatest = Math.max(greatest, Math.abs(values[i]));
    }
    return greatest;
  }

  /** Turns values into their change, and moves the anchor to them. */
  private static void takeChange(float[] values, float[] anchor, int offset, int size) {
    for (int i = 0; i < size; i++) {
      float value = values[i];
      values[i] = value - anchor[offset + i];
      anchor[offset + i] = value;
    }
  }

  /** Turns values into those that global ones become with their change. */
  private static void rebase(float[] values, float[] anchor, float[] global, int offset, int size) {
    for (int i = 0; i < size; i++) {
      values[i] = global[i] + (values[i] - anchor[offset + i]);
    }
  }

  /** See {@link Drift}. */
  double drift() {
    return drift.value();
  }

  /** The newest round that is in every block; negative while there is a block without one. */
  long oldestRound() {
    long oldest = Long.MAX_VALUE;
    for (long round : rounds) {
      oldest = Math.min(oldest, round);
    }
    return oldest;
  }

  void accept(BlockUpdate update) {
    int b = update.block();
    if (update.round() <= rounds[b]) {
      return;
    }
    if (rounds[b] == UNKNOWN) {
      unknownBlocks--;
    }
    rounds[b] = update.round();
    int offset = layout.offset(b);
    int size = layout.size(b);
    float[] global = update.values();
    if (clean) {
      model.write(offset, global, 0, size);
    } else {
      model.read(offset, block, 0, size);
      rebase(block, anchor, global, offset, size);
      layout.clip(b, block);
      model.write(offset, block, 0, size);
    }
    System.arraycopy(global, 0, anchor, offset, size);
  }

  /**
   * Takes over what another replica has yet to contribute.
   *
   * @param theirShare of the sum, between 0 and 1; the rest is this replica's own
   */
  void absorb(SavedVector theirs, float theirShare) {
    float ourShare = 1 - theirShare;
    for (int b = 0; b < layout.count(); b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      for (int i = 0; i < size; i++) {
        int at = offset + i;
        float ours = block[i] - anchor[at];
        float absorbed = theirs.values()[at] - theirs.anchor()[at];
        block[i] = anchor[at] + ourShare * ours + theirShare * absorbed;
      }
      layout.clip(b, block);
      model.write(offset, block, 0, size);
    }
    clean = false;
  }

  /** As it is now: shares the anchor, so it is to be written before anything else is learned. */
  SavedVector save() {
    float[] values = new float[model.spec().vectorLength()];
    model.read(0, values, 0, values.length);
    return new SavedVector(values, anchor, clean, rounds.clone(), encoder.save());
  }

  void restore(SavedVector saved) {
    model.write(0, saved.values(), 0, saved.values().length);
    System.arraycopy(saved.anchor(), 0, anchor, 0, anchor.length);
    clean = saved.clean();
    encoder.restore(saved.encoder());
    System.arraycopy(saved.rounds(), 0, rounds, 0, rounds.length);
    unknownBlocks = (int) Arrays.stream(rounds).filter(round -> round == UNKNOWN).count();
  }
}
