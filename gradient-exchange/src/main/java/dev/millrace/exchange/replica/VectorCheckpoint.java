package dev.millrace.exchange.replica;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import java.io.DataInput;
import java.io.IOException;

/**
 * Saves what a {@link LocalVector} holds beside the global model, and continues from it, block by
 * block. What differs is in memory twice until a checkpoint is written.
 *
 * <p>A block that is saved as the global model's is unknown after a restore, until that has come:
 * the replica trains no sooner. Meanwhile values and anchor are zero, so that whatever is added to
 * them is their difference exactly.
 *
 * <p>Not thread-safe.
 */
final class VectorCheckpoint {

  private static final long UNKNOWN = -1;

  private final ModelReplica model;
  private final BlockLayout layout;
  private final Anchor anchor;
  private final GlobalRounds rounds;
  private final Residual residual;
  private final ChangeEncoder encoder;

  VectorCheckpoint(
      ModelReplica model,
      BlockLayout layout,
      Anchor anchor,
      GlobalRounds rounds,
      Residual residual,
      ChangeEncoder encoder) {
    this.model = model;
    this.layout = layout;
    this.anchor = anchor;
    this.rounds = rounds;
    this.residual = residual;
    this.encoder = encoder;
  }

  /** See {@link LocalVector#save}. */
  SavedVector save() {
    SavedBlock[] blocks = new SavedBlock[layout.count()];
    if (!anchor.isClean()) {
      for (int b = 0; b < blocks.length; b++) {
        blocks[b] =
            SavedBlock.differing(
                rounds.of(b), read(layout.offset(b), layout.size(b)), anchor.save(b));
      }
    }
    return new SavedVector(blocks, saveRest(), encoder.save(), residual.save());
  }

  private float[][] saveRest() {
    int from = layout.length();
    int end = model.spec().vectorLength();
    float[][] rest = new float[(end - from + layout.blockSize() - 1) / layout.blockSize()][];
    for (int piece = 0; piece < rest.length; piece++) {
      rest[piece] = read(from, Math.min(layout.blockSize(), end - from));
      from += rest[piece].length;
    }
    return rest;
  }

  private float[] read(int from, int length) {
    float[] values = new float[length];
    model.read(from, values, 0, length);
    return values;
  }

  /** See {@link LocalVector#restore}. */
  void restore(DataInput in) throws IOException {
    long[] known = new long[layout.count()];
    float[][] anchors = new float[known.length][];
    for (int b = 0; b < known.length; b++) {
      SavedBlock saved = SavedBlock.read(in);
      known[b] = saved == null ? UNKNOWN : saved.round();
      anchors[b] = saved == null ? null : saved.anchor();
      float[] values = saved == null ? new float[layout.size(b)] : saved.values();
      model.write(layout.offset(b), values, 0, values.length);
    }
    anchor.restore(anchors);
    rounds.restore(known);
    int from = layout.length();
    for (float[] piece : SavedVector.readArrays(in)) {
      model.write(from, piece, 0, piece.length);
      from += piece.length;
    }
    encoder.restore(SavedVector.readArrays(in));
    residual.restore(SavedVector.readArrays(in));
  }

  /** See {@link LocalVector#absorb}. */
  void absorb(DataInput in, MergeShares shares) throws IOException {
    for (int b = 0; b < layout.count(); b++) {
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
        float[] values = read(layout.offset(b), layout.size(b));
        if (shares.ours(b) != 1) {
          BlockArithmetic.scaleChange(values, known, shares.ours(b), values.length);
        }
        if (theirs != null) {
          BlockArithmetic.addChange(
              values, theirs.values(), theirs.anchor(), shares.theirs(b), values.length);
        }
        if (rounds.of(b) != UNKNOWN) {
          layout.keepNonNegative(b, values, known);
        }
        model.write(layout.offset(b), values, 0, values.length);
      }
    }
    // What isn't exchanged and what an encoder remembers is the other's own.
    SavedVector.readArrays(in);
    SavedVector.readArrays(in);
    residual.absorb(SavedVector.readArrays(in), shares);
  }
}
