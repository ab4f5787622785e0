package dev.millrace.exchange.flink;

import java.io.DataInputStream;
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

  /** The strings of the checkpoint that the job continues from; none of 2 GB or more. */
  public List<byte[]> get() throws Exception {
    return strings(state);
  }

  /** Returns what {@link #get} does, of any size, each to be read once. */
  public List<DataInputStream> read() throws Exception {
    return read(state);
  }

  /** The strings of a state that was read; none of 2 GB or more. */
  public static List<byte[]> strings(ListState<Object> read) throws Exception {
    List<byte[]> strings = new ArrayList<>();
    read.get().forEach(string -> strings.add(((ByteString) string).toArray()));
    return strings;
  }

  /** Returns what {@link #strings} does, of any size, each to be read once. */
  public static List<DataInputStream> read(ListState<Object> read) throws Exception {
    List<DataInputStream> strings = new ArrayList<>();
    read.get().forEach(string -> strings.add(((ByteString) string).read()));
    return strings;
  }

  /** Strings for the next checkpoint, which must not change any more. */
  public void set(List<byte[]> strings) throws Exception {
    state.update(asStrings(strings));
  }

  /** Returns strings as the state keeps them. */
  public static List<Object> asStrings(List<byte[]> strings) {
    List<Object> all = new ArrayList<>();
    strings.forEach(string -> all.add(new ByteString(List.of(string))));
    return all;
  }

  /** A string for the next checkpoint, made while the operator continues. */
  public void defer(Deferred string) throws Exception {
    state.update(List.of(string));
  }

  /** Strings for the next checkpoint, made while the operator continues. */
  public void deferAll(List<? extends Deferred> strings) throws Exception {
    state.update(new ArrayList<>(strings));
  }

  /** Lets go of all strings. A checkpoint whose synchronous part is over keeps its own. */
  public void clear() {
    state.clear();
  }
}
