package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.flink.gather.GatherOperator;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.model.Ledger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.apache.flink.api.common.typeutils.base.IntSerializer;

/**
 * What a savepoint has of a model in training: its coordinator, its blocks and its replicas. Others
 * may take their place, in a savepoint beside it.
 */
public final class SavedTraining {

  private static final Set<String> OF_REPLICA =
      Set.of(ReplicaOperator.REPLICA_STATE, ReplicaOperator.EXAMPLES_STATE);

  private final SavedStates states;
  private final SavedOperators operators;

  public SavedTraining(SavedStates states, SavedOperators operators) {
    this.states = states;
    this.operators = operators;
  }

  /** Returns where it is. */
  public String path() {
    return states.path();
  }

  /** Returns what reads its model. */
  public SavedModelReader model() {
    return new SavedModelReader(states, operators.coordinator(), operators.exchange());
  }

  /** Returns what it says of its model. */
  public SavedHead head() throws SavepointException {
    return model().head();
  }

  /**
   * Returns the coordinator's state, see {@link CoordinatorState}.
   *
   * @throws SavepointException if the savepoint is of another job, or can't be read
   */
  public byte[] coordinator() throws SavepointException {
    return model().coordinator();
  }

  /**
   * Reads the blocks, with what waits in them.
   *
   * @throws SavepointException if one isn't there
   */
  public List<GlobalBlock> blocks() throws SavepointException {
    GlobalBlock[] blocks = new GlobalBlock[head().model().layout().count()];
    states.forEach(
        operators.exchange(),
        List.of(ExchangeOperator.STATE),
        IntSerializer.INSTANCE,
        (state, namespace, key, in, length) -> {
          GlobalBlock block = GlobalBlock.read(in);
          blocks[block.block()] = block;
        });
    if (Arrays.asList(blocks).contains(null)) {
      throw new SavepointException(
          "%s was taken before a first model was there; take another one".formatted(states.path()));
    }
    return List.of(blocks);
  }

  /**
   * Returns contributions that wait with gatherers, see {@link Gatherer#restore}; none where
   * contributions aren't combined by process.
   */
  public List<byte[]> gathered() throws SavepointException {
    return states.strings(operators.gatherer(), GatherOperator.STATE);
  }

  /** Whether contributions are combined by process. */
  public boolean gathers() {
    return states.has(operators.gatherer());
  }

  /** Reads what replicas have, those of hooks included, by their numbers. */
  public SortedMap<Integer, SubtaskStrings> replicas() throws SavepointException {
    return states.subtasks(operators.replica(), SavedTraining::isOfReplica);
  }

  private static boolean isOfReplica(String state) {
    return OF_REPLICA.contains(state) || state.startsWith(ReplicaOperator.HOOK_STATE);
  }

  /** Returns all records that are in the model, or on their way to it, but those that wait. */
  public Ledger taken() throws IOException {
    SavedHead head = head();
    Ledger taken = head.ledger().copy();
    taken.merge(head.announced());
    taken.merge(underWay(replicas().values()));
    return taken;
  }

  /** Returns the records that replicas have yet to contribute. */
  public static Ledger underWay(Collection<SubtaskStrings> replicas) throws IOException {
    Ledger underWay = new Ledger();
    for (SubtaskStrings replica : replicas) {
      for (byte[] saved : replica.list(ReplicaOperator.REPLICA_STATE)) {
        underWay.merge(
            Replica.recordsUnderWay(new DataInputStream(new ByteArrayInputStream(saved))));
      }
    }
    return underWay;
  }

  /** Returns the records of examples that wait for their minibatch. */
  public Ledger waiting() throws IOException {
    return waiting(replicas().values());
  }

  /** Returns the records of examples that wait for their minibatch with replicas. */
  public static Ledger waiting(Collection<SubtaskStrings> replicas) throws IOException {
    Ledger waiting = new Ledger();
    for (SubtaskStrings replica : replicas) {
      for (byte[] minibatch : replica.list(ReplicaOperator.EXAMPLES_STATE)) {
        waiting.merge(MinibatchWindow.records(minibatch));
      }
    }
    return waiting;
  }

  /**
   * Checks that another may be written beside this one, see {@link #write}.
   *
   * @throws SavepointException if it may not
   */
  public void requireWritable() throws IOException {
    new RewrittenSavepoint(states).requireWritable();
  }

  /**
   * Writes a savepoint of another model beside this one, with which it has all other states in
   * common.
   *
   * @param blocks as many as this one has
   * @param replicas by number; those that aren't named stay as they are
   * @param publisherStates those of the publisher that stay
   * @param name of its file of metadata
   * @return its path, from which a job goes on
   */
  public String write(
      byte[] coordinator,
      List<GlobalBlock> blocks,
      Map<Integer, SubtaskStrings> replicas,
      List<String> publisherStates,
      String name)
      throws IOException {
    RewrittenSavepoint rewritten = new RewrittenSavepoint(states);
    List<byte[]> written = new ArrayList<>();
    for (GlobalBlock block : blocks) {
      written.add(bytes(block));
    }
    rewritten.blocks(operators.exchange(), ExchangeOperator.STATE, written);
    rewritten.change(
        operators.coordinator(),
        CoordinatorState.NAME::equals,
        (subtask, saved) -> saved.with(CoordinatorState.NAME, List.of(coordinator)));
    rewritten.change(
        operators.replica(),
        SavedTraining::isOfReplica,
        (subtask, saved) -> replicas.getOrDefault(subtask, saved));
    rewritten.change(operators.publisher(), publisherStates::contains, (subtask, kept) -> kept);
    return rewritten.write(name);
  }

  static byte[] bytes(GlobalBlock block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(block.writtenSize());
    block.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
