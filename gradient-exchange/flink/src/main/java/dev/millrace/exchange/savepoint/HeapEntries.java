package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupPartitioner;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StateSnapshotKeyGroupReader;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** Checkpoints and native savepoints of the HashMap backend: key group after key group. */
final class HeapEntries implements KeyedEntries {

  private final KeyGroupsStateHandle handle;

  HeapEntries(KeyGroupsStateHandle handle) {
    this.handle = handle;
  }

  @Override
  public Backend backend() {
    return Backend.HASHMAP;
  }

  @Override
  public void forEach(String state, Consumer consumer) throws IOException {
    StateSnapshotKeyGroupReader reader =
        KeyGroupPartitioner.createKeyGroupPartitionReader(
            HeapEntries::value,
            (bytes, keyGroup) -> consumer.accept(new DataInputDeserializer(bytes), bytes.length));
    try (FSDataInputStream in = handle.openInputStream()) {
      DataInputViewStreamWrapper view = new DataInputViewStreamWrapper(in);
      KeyedBackendSerializationProxy<?> header =
          new KeyedBackendSerializationProxy<>(HeapEntries.class.getClassLoader());
      header.read(view);
      if (!holds(header, state)) {
        return;
      }
      StreamCompressionDecorator compression =
          header.isUsingKeyGroupCompression()
              ? SnappyStreamCompressionDecorator.INSTANCE
              : UncompressedStreamCompressionDecorator.INSTANCE;
      for (Tuple2<Integer, Long> group : handle.getGroupRangeOffsets()) {
        in.seek(group.f1);
        int number = view.readInt();
        if (number != group.f0) {
          throw new IOException("key group %s stands where %s belongs".formatted(number, group.f0));
        }
        // Doesn't close what it wraps.
        try (InputStream decompressed = compression.decorateWithCompression(in)) {
          DataInputViewStreamWrapper entries = new DataInputViewStreamWrapper(decompressed);
          entries.skipBytesToRead(Short.BYTES); // which state it is: there is one only
          reader.readMappingsInKeyGroup(entries, number);
        }
      }
    }
  }

  /** Others could only be passed over by reading them: no release of Millrace has had any. */
  private static boolean holds(KeyedBackendSerializationProxy<?> header, String state)
      throws IOException {
    List<String> states =
        header.getStateMetaInfoSnapshots().stream().map(StateMetaInfoSnapshot::getName).toList();
    if (states.contains(state) && states.size() > 1) {
      throw new IOException("it has the states %s, and this release knows one".formatted(states));
    }
    return states.contains(state);
  }

  private static byte[] value(DataInputView in) throws IOException {
    VoidNamespaceSerializer.INSTANCE.deserialize(in);
    IntSerializer.INSTANCE.deserialize(in);
    return BytePrimitiveArraySerializer.INSTANCE.deserialize(in);
  }
}
