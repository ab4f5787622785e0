package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer.BytePrimitiveArraySerializerSnapshot;
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
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/** Checkpoints and native savepoints of the HashMap backend: key group after key group. */
final class HeapEntries implements KeyedEntries {

  /** One value, with its key. */
  private record Entry(int namespace, long key, byte[] value) {}

  private final KeyGroupsStateHandle handle;

  HeapEntries(KeyGroupsStateHandle handle) {
    this.handle = handle;
  }

  @Override
  public Backend backend() {
    return Backend.HASHMAP;
  }

  @Override
  public List<String> states() throws IOException {
    try (FSDataInputStream in = handle.openInputStream()) {
      return StateNames.of(StateNames.header(in));
    }
  }

  @Override
  public void forEach(List<String> states, TypeSerializer<? extends Number> keys, Consumer consumer)
      throws IOException {
    try (FSDataInputStream in = handle.openInputStream()) {
      DataInputViewStreamWrapper view = new DataInputViewStreamWrapper(in);
      KeyedBackendSerializationProxy<?> header = StateNames.header(in);
      List<String> all = StateNames.of(header);
      if (Collections.disjoint(all, states)) {
        return;
      }
      requireByteStrings(header);
      List<StateSnapshotKeyGroupReader> readers =
          header.getStateMetaInfoSnapshots().stream()
              .map(state -> reader(state, states.contains(state.getName()), keys, consumer))
              .toList();
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
          read(new DataInputViewStreamWrapper(decompressed), number, readers);
        }
      }
    }
  }

  /** Reads a key group: of each state its number, and its values. */
  private static void read(
      DataInputView entries, int group, List<StateSnapshotKeyGroupReader> readers)
      throws IOException {
    for (int i = 0; i < readers.size(); i++) {
      int state = entries.readShort();
      if (state < 0 || state >= readers.size()) {
        throw new IOException("key group %s has a state of number %s".formatted(group, state));
      }
      readers.get(state).readMappingsInKeyGroup(entries, group);
    }
  }

  /** Reads values of one state. Those that nobody wants can only be passed over by reading them. */
  private static StateSnapshotKeyGroupReader reader(
      StateMetaInfoSnapshot state,
      boolean wanted,
      TypeSerializer<? extends Number> keys,
      Consumer consumer) {
    boolean namespaces =
        state.getTypeSerializerSnapshot(CommonSerializerKeys.NAMESPACE_SERIALIZER)
            instanceof IntSerializer.IntSerializerSnapshot;
    return KeyGroupPartitioner.createKeyGroupPartitionReader(
        in -> entry(in, namespaces, keys),
        (entry, keyGroup) -> {
          if (wanted) {
            consumer.accept(
                state.getName(),
                entry.namespace(),
                entry.key(),
                new DataInputDeserializer(entry.value()),
                entry.value().length);
          }
        });
  }

  private static Entry entry(
      DataInputView in, boolean namespaces, TypeSerializer<? extends Number> keys)
      throws IOException {
    int namespace = 0;
    if (namespaces) {
      namespace = in.readInt();
    } else {
      VoidNamespaceSerializer.INSTANCE.deserialize(in);
    }
    long key = keys.deserialize(in).longValue();
    return new Entry(namespace, key, BytePrimitiveArraySerializer.INSTANCE.deserialize(in));
  }

  /** No release of Millrace has had others, which would be passed over in another way. */
  private static void requireByteStrings(KeyedBackendSerializationProxy<?> header)
      throws IOException {
    for (StateMetaInfoSnapshot state : header.getStateMetaInfoSnapshots()) {
      if (state.getBackendStateType() != BackendStateType.KEY_VALUE
          || !(state.getTypeSerializerSnapshot(CommonSerializerKeys.VALUE_SERIALIZER)
              instanceof BytePrimitiveArraySerializerSnapshot)) {
        throw new IOException(
            "its state '%s' isn't of byte strings, and this release knows no other"
                .formatted(state.getName()));
      }
    }
  }
}
