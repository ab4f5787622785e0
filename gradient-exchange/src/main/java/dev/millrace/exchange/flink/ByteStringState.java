package dev.millrace.exchange.flink;

import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Operator state that is a list of byte strings, each of which carries its own format version. On a
 * change of parallelism the strings are dealt out to the new subtasks, each to one.
 */
public final class ByteStringState {

  /**
   * A byte string that is made when it is written, which may be on another thread and more than
   * once: each time it must be the same.
   */
  @FunctionalInterface
  public interface Deferred {

    void write(DataOutput out) throws IOException;
  }

  private final ListState<Object> state;

  private ByteStringState(ListState<Object> state) {
    this.state = state;
  }

  public static ByteStringState open(StateInitializationContext context, String name)
      throws Exception {
    return new ByteStringState(context.getOperatorStateStore().getListState(descriptor(name)));
  }

  public static ListStateDescriptor<Object> descriptor(String name) {
    return new ListStateDescriptor<>(name, ByteStringSerializer.INSTANCE);
  }

  /** The strings of the checkpoint that is gone on from. */
  public List<byte[]> get() throws Exception {
    return strings(state);
  }

  /** The strings of a state that was read. */
  public static List<byte[]> strings(ListState<Object> read) throws Exception {
    List<byte[]> strings = new ArrayList<>();
    read.get().forEach(string -> strings.add((byte[]) string));
    return strings;
  }

  /** Strings for the next checkpoint, which must not change any more. */
  public void set(List<byte[]> strings) throws Exception {
    state.update(List.copyOf(strings));
  }

  /** A string for the next checkpoint, made while the operator goes on. */
  public void defer(Deferred string) throws Exception {
    state.update(List.of(string));
  }
}
