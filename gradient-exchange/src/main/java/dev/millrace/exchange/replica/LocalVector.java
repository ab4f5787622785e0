package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.ContributionEncoder;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import java.io.DataInput;
import java.io.IOException;
import java.util.Optional;

/**
 * A replica's values and their anchor: what the global model knows of them. The difference between
 * the two is what the replica has yet to contribute.
 *
 * <ul>
 *   <li>Contributing sends {@code values − anchor} and moves the anchor to the values, less what
 *       the codec left out, and in the blocks of the contribution alone.
 *   <li>A newer global block G makes {@code values := G + (values − anchor); anchor := G}. Where
 *       the two were equal the values become G exactly.
 * </ul>
 */
final class LocalVector {

  private final ModelReplica model;
  private final BlockLayout layout;
  private final VectorBlocks blocks;
  private final Anchor anchor;
  private final GlobalRounds rounds;
  private final StateUpdates state;
  private final Divergence divergence;
  private final VectorCheck check;
  private final Residual residual;
  private final ChangeEncoder encoder;
  private final VectorCheckpoint checkpoint;

  LocalVector(ModelReplica model, BlockLayout layout, ContributionEncoder encoder) {
    this.model = model;
    this.layout = layout;
    this.blocks = new VectorBlocks(model, layout);
    this.anchor = new Anchor(blocks);
    this.rounds = new GlobalRounds(layout.count());
    this.state = new StateUpdates(layout, rounds);
    this.divergence = new Divergence(model.spec().parameters());
    this.check = new VectorCheck(blocks, anchor, divergence);
    this.residual = new Residual(blocks);
    this.encoder = new ChangeEncoder(blocks, encoder, anchor, divergence, check, residual);
    this.checkpoint = new VectorCheckpoint(blocks, anchor, rounds, residual, this.encoder);
  }

  /** Whether the values are those of the global model, as far as it is known. */
  boolean isGlobal() {
    return anchor.isClean() && residual.isEmpty();
  }

  /** Asks for every global block again, keeping values and anchor as they are. */
  void forgetRounds() {
    rounds.forget();
  }

  /** Whether anything was left out of contributions so far, by codecs or with other blocks. */
  boolean hasResidual() {
    return !residual.isEmpty();
  }

  /** Returns whether anything was left out of this block so far. */
  boolean hasResidual(int blockNumber) {
    return !residual.isEmpty(blockNumber);
  }

  /** Whether global values have come for every block. */
  boolean isComplete() {
    return rounds.areComplete();
  }

  /** Returns which round of the global model each block comes from; live. */
  GlobalRounds rounds() {
    return rounds;
  }

  /** See {@link Divergence}. */
  double divergence() {
    return divergence.value();
  }

  /** See {@link VectorCheck#isSound}. */
  boolean isSound(double mostChange) {
    return check.isSound(mostChange);
  }

  /** See {@link VectorCheck#isRestSound}. */
  boolean isRestSound() {
    return check.isRestSound();
  }

  /** The values are about to change. */
  void touch() {
    anchor.keep();
  }

  /** The parameters of the global model as far as is known of it, in an array of their own. */
  float[] globalParameters() {
    float[] parameters = new float[model.spec().parameters()];
    for (int b = 0; b < layout.parameterBlocks(); b++) {
      if (anchor.isClean()) {
        blocks.read(b, parameters, layout.offset(b));
      } else {
        System.arraycopy(anchor.of(b), 0, parameters, layout.offset(b), layout.size(b));
      }
    }
    return parameters;
  }

  float[] values(int blockNumber) {
    return blocks.copy(blockNumber);
  }

  /**
   * Goes back to the global model, and to what codecs left out of contributions that it holds.
   * Updater state that isn't exchanged starts from zero, since it came from the refused steps.
   *
   * @param mostChange see {@link VectorCheck#isSound}: what was left out and is more than that is
   *     dropped, since everything that follows would be refused for it
   */
  void reset(double mostChange) {
    anchor.restoreValues();
    if (!residual.isEmpty()) {
      anchor.keep();
      residual.restoreValues(anchor);
      if (!check.isSound(mostChange)) {
        anchor.restoreValues();
        residual.clear();
      }
    }
    resetUpdater();
  }

  /** Updater state that isn't exchanged starts from zero. */
  void resetUpdater() {
    int rest = model.spec().vectorLength() - layout.length();
    if (rest > 0) {
      model.write(layout.length(), new float[rest], 0, rest);
      model.setSteps(new Steps(model.steps().iteration(), 0));
    }
  }

  /** Whether the updater's state is the global model's. */
  boolean exchangesUpdaterState() {
    return layout.hasUpdaterState();
  }

  /**
   * The change to contribute, if {@linkplain #isSound all is sound}; see {@link
   * ChangeEncoder#encode}.
   */
  Optional<Payload[]> encode(double mostChange, boolean exactly, Fragment covered) {
    return encoder.encode(mostChange, exactly, covered);
  }

  /**
   * Takes a newer block in, and keeps its values, which must never change; one of the updater's
   * state {@linkplain StateUpdates with all of them}.
   */
  void accept(BlockUpdate update) {
    if (state.concern(update.block())) {
      state.add(update).forEach(this::take);
    } else {
      take(update);
    }
  }

  private void take(BlockUpdate update) {
    int b = update.block();
    if (!rounds.advance(b, update.round())) {
      return;
    }
    float[] global = update.values();
    if (anchor.isClean()) {
      blocks.write(b, global);
    } else {
      float[] block = blocks.read(b);
      BlockArithmetic.rebase(block, anchor.of(b), global, layout.size(b));
      layout.keepNonNegative(b, block, global);
      blocks.write(b, block);
    }
    anchor.take(b, global);
  }

  /**
   * Returns what differs from the global model, in values that stay as they are.
   *
   * @param whole whether to return all blocks: the global model may have newer ones
   */
  SavedVector save(boolean whole) {
    return checkpoint.save(whole);
  }

  /**
   * Continues from what {@link #save} gave. Blocks that the global model has are asked for.
   *
   * @param in is read up to the end of what {@link SavedVector#write} wrote
   */
  void restore(DataInput in) throws IOException {
    checkpoint.restore(in);
  }

  /**
   * Takes over what another replica has yet to contribute.
   *
   * @param in as of {@link #restore}, of the other
   * @param shares how much of either counts
   */
  void absorb(DataInput in, MergeShares shares) throws IOException {
    checkpoint.absorb(in, shares);
  }
}
