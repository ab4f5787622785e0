package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** What all formats begin with, or have in a file of its own: which states there are. */
final class StateNames {

  private StateNames() {}

  /** Reads it, and no byte more. */
  static KeyedBackendSerializationProxy<?> header(InputStream in) throws IOException {
    KeyedBackendSerializationProxy<?> header =
        new KeyedBackendSerializationProxy<>(StateNames.class.getClassLoader());
    header.read(new DataInputViewStreamWrapper(in));
    return header;
  }

  /** Returns the names of all states, in the order of their numbers. */
  static List<String> of(KeyedBackendSerializationProxy<?> header) {
    return header.getStateMetaInfoSnapshots().stream().map(StateMetaInfoSnapshot::getName).toList();
  }
}
