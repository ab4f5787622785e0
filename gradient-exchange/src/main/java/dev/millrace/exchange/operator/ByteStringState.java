package dev.millrace.exchange.operator;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Operator state that is a list of byte strings, each of which carries its own format version. On a
 * change of parallelism the strings are dealt out to the new subtasks, each to one.
 */
public final class ByteStringState {

  private final ListState<byte[]> state;

  private ByteStringState(ListState<byte[]> state) {
    this.state = state;
  }

  public static ByteStringState open(StateInitializationContext context, String name)
      throws Exception {
    return new ByteStringState(context.getOperatorStateStore().getListState(descriptor(name)));
  }

  public static ListStateDescriptor<byte[]> descriptor(String name) {
    return new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE);
  }

  public List<byte[]> get() throws Exception {
    List<byte[]> strings = new ArrayList<>();
    state.get().forEach(strings::add);
    return strings;
  }

  public void set(List<byte[]> strings) throws Exception {
    state.update(strings);
  }
}
