package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.operator.ExchangeOperator;
import dev.millrace.exchange.operator.RosterSettings;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import java.io.DataInput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/**
 * Reads the global model out of a savepoint. Memory holds the model's vector once, and one block's
 * state. A model is given out only if each block is there exactly once, and all are of the roster's
 * round.
 */
public final class SavedModelReader {

  /** Is told of each block that was read. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Tells how far reading has come.
     *
     * @param blocks read so far
     * @param bytes read so far, contributions under way included
     */
    void read(int blocks, int ofBlocks, long bytes);
  }

  private final SavedStates states;
  private final String rosterUid;
  private final String exchangeUid;

  /**
   * Reads from one savepoint.
   *
   * @param rosterUid and {@code exchangeUid}: of the operators that keep the model
   */
  public SavedModelReader(SavedStates states, String rosterUid, String exchangeUid) {
    this.states = states;
    this.rosterUid = rosterUid;
    this.exchangeUid = exchangeUid;
  }

  /**
   * Reads all but the vector.
   *
   * @throws SavepointException if the savepoint is of another job, or can't be read
   */
  public SavedHead head() throws SavepointException {
    List<byte[]> saved = states.strings(rosterUid, RosterSettings.STATE);
    if (saved.isEmpty()) {
      throw new SavepointException(
          ("%s holds no model of Millrace: it is of another job, or of one whose input has ended."
                  + " Its operators with state are %s")
              .formatted(
                  states.path(),
                  states.facts().operators().stream()
                      .map(SavepointFacts.SavedOperator::name)
                      .toList()));
    }
    try {
      return SavedHead.read(saved.get(0));
    } catch (IOException | RuntimeException e) {
      throw SavepointException.unreadable(states.path(), "The roster", e);
    }
  }

  /**
   * Reads the whole model.
   *
   * @throws SavepointException if the savepoint is of another job, can't be read, or isn't whole
   */
  public GlobalModel read(Progress progress) throws SavepointException {
    SavedHead head = head();
    Blocks blocks = new Blocks(head, progress);
    states.forEach(exchangeUid, ExchangeOperator.STATE, blocks::read);
    blocks.requireAll();
    return head.with(blocks.vector);
  }

  private final class Blocks {

    private final BlockLayout layout;
    private final long round;
    private final Progress progress;
    private final float[] vector;
    private final BitSet present = new BitSet();
    private long bytes;

    Blocks(SavedHead head, Progress progress) {
      this.layout = head.model().layout();
      this.round = head.version().round();
      this.progress = progress;
      this.vector = new float[layout.length()];
    }

    void read(DataInput in, int length) throws IOException {
      BlockUpdate update = GlobalBlock.readUpdate(in);
      int block = update.block();
      require(block >= 0 && block < layout.count(), "has a block %d".formatted(block));
      require(!present.get(block), "has block %d twice".formatted(block));
      require(
          update.values().length > 0,
          "was taken before the model was in it: no replica had brought the first one yet");
      require(
          update.values().length == layout.size(block),
          "has %d values in block %d".formatted(update.values().length, block));
      require(update.round() == round, "has block %d of round %d".formatted(block, update.round()));
      System.arraycopy(update.values(), 0, vector, layout.offset(block), update.values().length);
      present.set(block);
      bytes += length;
      progress.read(present.cardinality(), layout.count(), bytes);
    }

    void requireAll() throws SavepointException {
      int missing = layout.count() - present.cardinality();
      require(
          missing == 0,
          "lacks %d of them, the first is block %d".formatted(missing, present.nextClearBit(0)));
    }

    private void require(boolean condition, String otherwise) throws SavepointException {
      if (!condition) {
        throw new SavepointException(
            "%s holds no whole model of round %d in %d blocks: it %s"
                .formatted(states.path(), round, layout.count(), otherwise));
      }
    }
  }
}
