package dev.millrace.exchange.flink;

import dev.millrace.exchange.flink.ByteStringState.Deferred;
import java.io.DataInputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Operator state that is one byte string in each subtask. After a restore a subtask has its own
 * again; one that had none has that of another. It reads one string, or two at most, however many
 * subtasks there are.
 *
 * <p>It is broadcast state and not a union list: Flink (2.3) completes no checkpoint of a task that
 * has a union list once some of its subtasks have finished.
 */
public final class ByteStringCopies {

  private final BroadcastState<Integer, Object> state;

  private ByteStringCopies(BroadcastState<Integer, Object> state) {
    this.state = state;
  }

  public static ByteStringCopies open(StateInitializationContext context, String name)
      throws Exception {
    return new ByteStringCopies(
        context.getOperatorStateStore().getBroadcastState(descriptor(name)));
  }

  public static MapStateDescriptor<Integer, Object> descriptor(String name) {
    return new MapStateDescriptor<>(name, IntSerializer.INSTANCE, ByteStringSerializer.INSTANCE);
  }

  /** Returns what a subtask had saved in a state that was read, of less than 2 GB. */
  public static Optional<byte[]> own(BroadcastState<Integer, Object> read, int index)
      throws Exception {
    return Optional.ofNullable(read.get(index)).map(string -> ((ByteString) string).toArray());
  }

  /** Puts what a subtask is to have into a state that is written. */
  public static void put(BroadcastState<Integer, Object> written, int index, byte[] string)
      throws Exception {
    written.put(index, new ByteString(List.of(string)));
  }

  /**
   * Returns what this subtask had saved, or else another one; to be read once. Empty where none
   * had.
   *
   * @param index number of the subtask
   */
  public Optional<DataInputStream> read(int index) throws Exception {
    Object own = state.get(index);
    if (own != null) {
      return Optional.of(((ByteString) own).read());
    }
    Iterator<Map.Entry<Integer, Object>> others = state.iterator();
    return others.hasNext()
        ? Optional.of(((ByteString) others.next().getValue()).read())
        : Optional.empty();
  }

  /** The string for the next checkpoint, made while the operator continues. */
  public void defer(int index, Deferred string) throws Exception {
    state.clear();
    state.put(index, string);
  }

  /** Lets go of all strings. A checkpoint whose synchronous part is over keeps its own. */
  public void clear() {
    state.clear();
  }
}
