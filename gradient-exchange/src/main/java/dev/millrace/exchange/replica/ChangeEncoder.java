package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.ValueBounds;
import dev.millrace.exchange.codec.ContributionEncoder;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.schedule.Fragment;
import java.util.Optional;

/**
 * Encodes {@code values − anchor} and moves the anchor to the values, less what the codec leaves
 * out, and the blocks that the contribution doesn't cover: these are still to be contributed. Where
 * what is left out decays, the values move to the anchor and what stays of it.
 *
 * <p>Not thread-safe.
 */
final class ChangeEncoder {

  private final VectorBlocks blocks;
  private final ContributionEncoder encoder;
  private final Anchor anchor;
  private final Divergence divergence;
  private final VectorCheck check;
  private final Residual residual;

  /**
   * @param divergence is measured of each contribution
   * @param residual is told what is left out of each
   */
  ChangeEncoder(
      VectorBlocks blocks,
      ContributionEncoder encoder,
      Anchor anchor,
      Divergence divergence,
      VectorCheck check,
      Residual residual) {
    this.blocks = blocks;
    this.encoder = encoder;
    this.anchor = anchor;
    this.divergence = divergence;
    this.check = check;
    this.residual = residual;
  }

  /**
   * The change, block by block; empty where it isn't {@linkplain VectorCheck#isSound sound}, and
   * then nothing counts as contributed.
   *
   * @param last whether nothing stays: what doesn't decay is sent to the last bit, whatever the
   *     codecs, and of what decays nothing is kept
   * @param covered blocks whose change it is, all of them if it is the last; null stands for the
   *     others
   */
  Optional<Payload[]> encode(double mostChange, boolean last, Fragment covered) {
    Payload[] payloads = new Payload[blocks.count()];
    boolean exactly = encoder.isLossless() || (last && !encoder.decays());
    if (covered.isWhole() && exactly) {
      if (!encodeAll(payloads, mostChange)) {
        return Optional.empty();
      }
    } else {
      if (!check.isSound(mostChange)) {
        return Optional.empty();
      }
      encodeMost(payloads, covered, last);
    }
    encoder.complete();
    return Optional.of(payloads);
  }

  /** Finds out on the way whether all is sound, and changes nothing before: one pass is enough. */
  private boolean encodeAll(Payload[] payloads, double mostChange) {
    anchor.keep();
    divergence.begin();
    for (int b = 0; b < payloads.length; b++) {
      int size = blocks.size(b);
      float[] block = blocks.read(b);
      if (!ValueBounds.areSound(block, size)) {
        return false;
      }
      divergence.add(block, anchor.of(b), blocks.offset(b), size);
      BlockArithmetic.subtract(block, anchor.of(b), size);
      payloads[b] = encoder.sendExactly(b, block);
    }
    if (divergence.exceeds(mostChange)) {
      return false;
    }
    divergence.complete();
    anchor.moveToValues();
    residual.clear();
    return true;
  }

  /** Keeps what isn't sent as the difference from the anchor. */
  private void encodeMost(Payload[] payloads, Fragment covered, boolean last) {
    anchor.keep();
    divergence.complete();
    boolean nothingLeft = true;
    for (int b = 0; b < payloads.length; b++) {
      float[] block = blocks.read(b);
      if (covered.covers(b)) {
        float[] before = anchor.of(b);
        BlockArithmetic.takeChange(block, before, anchor.replace(b), blocks.size(b));
        float decay = encoder.decay(b);
        if (last && decay == 1) {
          payloads[b] = encoder.sendExactly(b, block);
          residual.clear(b);
        } else {
          payloads[b] = encoder.send(b, block);
          nothingLeft &= leave(b, block, last ? 0 : decay);
        }
      } else {
        nothingLeft &= leaveAll(b, block);
      }
    }
    anchor.setClean(nothingLeft);
  }

  /**
   * Keeps all of a block's change for a later contribution: its records count as learned from now
   * on.
   *
   * @param block its values, which the change takes the place of
   * @return whether it is nothing
   */
  private boolean leaveAll(int b, float[] block) {
    int size = blocks.size(b);
    BlockArithmetic.subtract(block, anchor.of(b), size);
    boolean nothing = BlockArithmetic.isZero(block, size);
    note(b, block, nothing);
    return nothing;
  }

  /**
   * Keeps what the codec has left out of a block, or as much of it as is to stay.
   *
   * @param block what that is
   * @param decay how much of it stays; 1 is all of it
   * @return whether nothing stays
   */
  private boolean leave(int b, float[] block, float decay) {
    int size = blocks.size(b);
    boolean nothing = BlockArithmetic.leave(anchor.of(b), block, size);
    if (!nothing && decay != 1) {
      BlockArithmetic.scale(block, decay, size);
      nothing = BlockArithmetic.isZero(block, size);
      note(b, block, nothing);
      residual.writeValues(b, block, anchor);
    } else {
      note(b, block, nothing);
    }
    return nothing;
  }

  private void note(int b, float[] left, boolean nothing) {
    if (nothing) {
      residual.clear(b);
    } else {
      residual.set(b, left);
    }
  }

  /** Returns what the encoder remembers, for a checkpoint. */
  float[][] save() {
    return encoder.save();
  }

  void restore(float[][] saved) {
    encoder.restore(saved);
  }
}
