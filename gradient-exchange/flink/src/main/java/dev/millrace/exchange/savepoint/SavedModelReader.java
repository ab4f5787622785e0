package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;

/**
 * Reads the global model out of a savepoint. Memory holds the model's vector and the server
 * optimizer's state once, and one block. A model is given out only if each block is there exactly
 * once, and all are of the coordinator's round.
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
  private final String coordinatorUid;
  private final String exchangeUid;

  /**
   * Reads from one savepoint.
   *
   * @param coordinatorUid and {@code exchangeUid}: of the operators that keep the model
   */
  public SavedModelReader(SavedStates states, String coordinatorUid, String exchangeUid) {
    this.states = states;
    this.coordinatorUid = coordinatorUid;
    this.exchangeUid = exchangeUid;
  }

  /**
   * Reads all but the vector.
   *
   * @throws SavepointException if the savepoint is of another job, or can't be read
   */
  public SavedHead head() throws SavepointException {
    try {
      return SavedHead.read(coordinator());
    } catch (SavepointException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      throw SavepointException.unreadable(states.path(), "The coordinator", e);
    }
  }

  /** Returns the coordinator's state as it is. */
  byte[] coordinator() throws SavepointException {
    List<byte[]> saved = states.strings(coordinatorUid, CoordinatorState.NAME);
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
    return saved.get(0);
  }

  /**
   * Reads the whole model.
   *
   * @throws SavepointException if the savepoint is of another job, can't be read, or isn't whole
   */
  public GlobalModel read(Progress progress) throws SavepointException {
    return read(false, progress);
  }

  /**
   * Reads the model with the moving average in the place of its parameters, and without updater
   * state.
   *
   * @throws SavepointException as {@link #read(Progress)}, and if the job kept no moving average
   */
  public GlobalModel readAverage(Progress progress) throws SavepointException {
    return read(true, progress);
  }

  private GlobalModel read(boolean average, Progress progress) throws SavepointException {
    SavedHead head = head();
    BlockLayout layout = head.model().layout();
    SavedBlocks blocks =
        new SavedBlocks(states.path(), layout, head.version().round(), average, progress);
    states.forEach(
        exchangeUid,
        List.of(ExchangeOperator.STATE),
        IntSerializer.INSTANCE,
        (state, namespace, key, block, length) -> blocks.add(block, length));
    float[] vector = blocks.vector();
    try {
      return head.with(vector, blocks.serverOptimizer(), average);
    } catch (RuntimeException e) {
      throw SavepointException.unreadable(states.path(), "The model", e);
    }
  }
}
