package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.SoundValues;
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

  private final ModelReplica model;
  private final BlockLayout layout;
  private final Encoder encoder;

  /**
   * Of each block what the global model knows; null where that is the values, until these are about
   * to change. Arrays of {@code own}, or values of updates, which others hold, too.
   */
  private final float[][] anchor;

  /** Made when they are needed: a schedule that waits never does, unless its codec is lossy. */
  private final float[][] own;

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
    this.anchor = new float[layout.count()][];
    this.own = new float[layout.count()][];
    this.rounds = new long[layout.count()];
    this.block = new float[layout.blockSize()];
    this.drift = new Drift(model.spec().parameters());
    this.clean = true;
    forgetRounds();
  }

  /** Asks for every global block again, keeping values and anchor as they are. */
  void forgetRounds() {
    Arrays.fill(rounds, UNKNOWN);
    unknownBlocks = rounds.length;
  }

  /** Whether there is nothing to contribute: values and anchor are the same, bit by bit. */
  boolean isClean() {
    return clean;
  }

  boolean isComplete() {
    return unknownBlocks == 0;
  }

  /** The values are about to change. */
  void touch() {
    if (clean) {
      for (int b = 0; b < layout.count(); b++) {
        if (anchor[b] == null) {
          anchor[b] = own(b);
          model.read(layout.offset(b), anchor[b], 0, layout.size(b));
        }
      }
      clean = false;
    }
  }

  private float[] own(int blockNumber) {
    if (own[blockNumber] == null) {
      own[blockNumber] = new float[layout.size(blockNumber)];
    }
    return own[blockNumber];
  }

  float[] values(int blockNumber) {
    float[] values = new float[layout.size(blockNumber)];
    model.read(layout.offset(blockNumber), values, 0, values.length);
    return values;
  }

  /**
   * Goes back to the global model. Updater state that isn't exchanged starts anew, since it has
   * seen what led astray.
   */
  void reset() {
    if (!clean) {
      for (int b = 0; b < layout.count(); b++) {
        model.write(layout.offset(b), anchor[b], 0, layout.size(b));
      }
      clean = true;
    }
    int rest = model.spec().vectorLength() - layout.length();
    model.write(layout.length(), new float[rest], 0, rest);
  }

  /**
   * Sends the change, if {@linkplain #isSound all is sound}.
   *
   * @return false if it isn't, and nothing was sent
   */
  boolean contribute(int replica, long sequence, double mostChange, Consumer<Contribution> out) {
    Payload[] payloads = new Payload[layout.count()];
    if (encoder.isLossless()) {
      if (!encode(payloads, mostChange)) {
        return false;
      }
    } else {
      if (!isSound(mostChange)) {
        return false;
      }
      encodeMost(payloads);
    }
    encoder.complete();
    for (int b = 0; b < payloads.length; b++) {
      out.accept(new Contribution(b, replica, sequence, payloads[b]));
    }
    return true;
  }

  /** Finds out on the way whether all is sound, and changes nothing before: one pass is enough. */
  private boolean encode(Payload[] payloads, double mostChange) {
    touch();
    drift.begin();
    for (int b = 0; b < payloads.length; b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      if (!SoundValues.areSound(block, size)) {
        return false;
      }
      drift.add(block, anchor[b], offset, size);
      BlockArithmetic.subtract(block, anchor[b], size);
      payloads[b] = encoder.send(offset, block, size);
    }
    if (drift.exceeds(mostChange)) {
      return false;
    }
    drift.complete();
    Arrays.fill(anchor, null);
    clean = true;
    return true;
  }

  /** Keeps what the codec leaves out as the difference from the anchor. */
  private void encodeMost(Payload[] payloads) {
    drift.complete();
    boolean nothingLeft = true;
    for (int b = 0; b < payloads.length; b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      BlockArithmetic.takeChange(block, anchor[b], own(b), size);
      anchor[b] = own[b];
      payloads[b] = encoder.send(offset, block, size);
      nothingLeft &= leave(b, size);
    }
    clean = nothingLeft;
  }

  /**
   * Whether all exchanged values are {@linkplain SoundValues sound}, and the parameters' {@link
   * Drift} from the anchor is no more than {@code mostChange}.
   */
  boolean isSound(double mostChange) {
    if (clean) {
      return true;
    }
    drift.begin();
    for (int b = 0; b < layout.count(); b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      if (!SoundValues.areSound(block, size)) {
        return false;
      }
      drift.add(block, anchor[b], offset, size);
    }
    return !drift.exceeds(mostChange);
  }

  /** Whether the values that aren't exchanged are sound: they are in checkpoints, too. */
  boolean isRestSound() {
    int length = model.spec().vectorLength();
    for (int from = layout.length(); from < length; from += block.length) {
      int size = Math.min(block.length, length - from);
      model.read(from, block, 0, size);
      if (!SoundValues.areSound(block, size)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Keeps what the codec has left out of a block, and is in {@code block} now.
   *
   * @return whether it is nothing
   */
  private boolean leave(int b, int size) {
    float[] known = anchor[b];
    boolean nothing = true;
    for (int i = 0; i < size; i++) {
      known[i] -= block[i];
      nothing &= block[i] == 0f;
    }
    if (encoder.clip(layout.offset(b), block, size)) {
      for (int i = 0; i < size; i++) {
        block[i] += known[i];
      }
      model.write(layout.offset(b), block, 0, size);
    }
    return nothing;
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

  /** Takes a newer block in, and keeps its values, which must never change. */
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
      BlockArithmetic.rebase(block, anchor[b], global, size);
      layout.clip(b, block);
      model.write(offset, block, 0, size);
    }
    anchor[b] = global;
  }

  /**
   * Takes over what another replica has yet to contribute.
   *
   * @param theirShare of the sum, between 0 and 1; the rest is this replica's own
   */
  void absorb(SavedVector theirs, float theirShare) {
    touch();
    float ourShare = 1 - theirShare;
    float[] theirAnchor = theirs.anchor();
    for (int b = 0; b < layout.count(); b++) {
      int offset = layout.offset(b);
      int size = layout.size(b);
      model.read(offset, block, 0, size);
      for (int i = 0; i < size; i++) {
        int at = offset + i;
        float ours = block[i] - anchor[b][i];
        float absorbed = theirs.values()[at] - theirAnchor[at];
        block[i] = anchor[b][i] + ourShare * ours + theirShare * absorbed;
      }
      layout.clip(b, block);
      model.write(offset, block, 0, size);
    }
  }

  /** In values that stay as they are, whatever becomes of these. */
  SavedVector save() {
    float[] values = new float[model.spec().vectorLength()];
    model.read(0, values, 0, values.length);
    float[][] known = new float[layout.count()][];
    for (int b = 0; b < known.length; b++) {
      known[b] = saved(b, values);
    }
    return new SavedVector(values, known, clean, rounds.clone(), encoder.save());
  }

  /** The anchor of a block in an array that stays as it is. */
  private float[] saved(int b, float[] values) {
    if (anchor[b] == null) {
      int offset = layout.offset(b);
      return Arrays.copyOfRange(values, offset, offset + layout.size(b));
    }
    return anchor[b] == own[b] ? anchor[b].clone() : anchor[b];
  }

  void restore(SavedVector saved) {
    model.write(0, saved.values(), 0, saved.values().length);
    float[] known = saved.anchor();
    for (int b = 0; b < layout.count(); b++) {
      anchor[b] = own(b);
      System.arraycopy(known, layout.offset(b), anchor[b], 0, layout.size(b));
    }
    clean = saved.clean();
    encoder.restore(saved.encoder());
    System.arraycopy(saved.rounds(), 0, rounds, 0, rounds.length);
    unknownBlocks = (int) Arrays.stream(rounds).filter(round -> round == UNKNOWN).count();
  }
}
