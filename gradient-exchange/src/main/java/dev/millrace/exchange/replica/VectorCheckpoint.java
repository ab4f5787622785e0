package dev.millrace.exchange.replica;

import java.io.DataInput;
import java.io.IOException;

/**
 * Saves what a {@link LocalVector} holds beside the global model, and continues from it, block by
 * block. What differs is in memory twice until a checkpoint is written.
 *
 * <p>A block that is saved as the global model's is unknown after a restore, until that has come:
 * the replica trains no sooner. Meanwhile values and anchor are zero, so that whatever is added to
 * them is their difference exactly. What is frozen has none, whatever was learned before it was.
 *
 * <p>Not thread-safe.
 */
final class VectorCheckpoint {

  private static final long UNKNOWN = -1;

  private final VectorBlocks blocks;
  private final Anchor anchor;
  private final GlobalRounds rounds;
  private final Residual residual;
  private final ChangeEncoder encoder;

  VectorCheckpoint(
      VectorBlocks blocks,
      Anchor anchor,
      GlobalRounds rounds,
      Residual residual,
      ChangeEncoder encoder) {
    this.blocks = blocks;
    this.anchor = anchor;
    this.rounds = rounds;
    this.residual = residual;
    this.encoder = encoder;
  }

  /** See {@link LocalVector#save}. */
  SavedVector save(boolean whole) {
    SavedBlock[] saved = new SavedBlock[blocks.count()];
    for (int b = 0; b < saved.length; b++) {
      if (whole) {
        float[] values = blocks.copy(b);
        saved[b] = new SavedBlock(rounds.of(b), values, anchor.isClean() ? values : anchor.save(b));
      } else if (!anchor.isClean()) {
        saved[b] = SavedBlock.differing(rounds.of(b), blocks.copy(b), anchor.save(b));
      }
    }
    return new SavedVector(saved, saveRest(), encoder.save(), residual.save());
  }

  private float[][] saveRest() {
    float[][] rest = new float[blocks.restPieces()][];
    for (int piece = 0; piece < rest.length; piece++) {
      rest[piece] = blocks.copyRest(piece);
    }
    return rest;
  }

  /** See {@link LocalVector#restore}. */
  void restore(DataInput in) throws IOException {
    long[] known = new long[blocks.count()];
    float[][] anchors = new float[known.length][];
    for (int b = 0; b < known.length; b++) {
      SavedBlock saved = SavedBlock.read(in);
      known[b] = saved == null ? UNKNOWN : saved.round();
      anchors[b] = saved == null ? null : saved.anchor();
      if (saved != null) {
        blocks.layout().keepFrozen(b, saved.values(), saved.anchor());
      }
      blocks.write(b, saved == null ? new float[blocks.size(b)] : saved.values());
    }
    anchor.restore(anchors);
    rounds.restore(known);
    float[][] rest = SavedVector.readArrays(in);
    for (int piece = 0; piece < rest.length; piece++) {
      blocks.writeRest(piece, rest[piece]);
    }
    encoder.restore(SavedVector.readArrays(in));
    residual.restore(SavedVector.readArrays(in));
  }

  /** See {@link LocalVector#absorb}. */
  void absorb(DataInput in, MergeShares shares) throws IOException {
    for (int b = 0; b < blocks.count(); b++) {
      SavedBlock theirs = SavedBlock.read(in);
      if (shares.theirs(b) == 0) {
        // Nothing is behind it.
        continue;
      }
      if (theirs != null) {
        anchor.keep();
      }
      if (!anchor.isClean()) {
        float[] known = anchor.of(b);
        float[] values = blocks.copy(b);
        if (shares.ours(b) != 1) {
          BlockArithmetic.scaleChange(values, known, shares.ours(b), values.length);
        }
        if (theirs != null) {
          BlockArithmetic.addChange(
              values, theirs.values(), theirs.anchor(), shares.theirs(b), values.length);
        }
        blocks.layout().keepFrozen(b, values, known);
        if (rounds.of(b) != UNKNOWN) {
          blocks.layout().keepNonNegative(b, values, known);
        }
        blocks.write(b, values);
      }
    }
    // What isn't exchanged and what an encoder remembers is the other's own.
    SavedVector.readArrays(in);
    SavedVector.readArrays(in);
    residual.absorb(SavedVector.readArrays(in), shares);
  }
}
