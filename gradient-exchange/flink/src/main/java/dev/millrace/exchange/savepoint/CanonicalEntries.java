package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.restore.FullSnapshotRestoreOperation;
import org.apache.flink.runtime.state.restore.KeyGroup;
import org.apache.flink.runtime.state.restore.KeyGroupEntry;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.runtime.state.restore.ThrowingIterator;
import org.apache.flink.util.StateMigrationException;

/** Canonical savepoints, by the iterator that all of Flink's backends restore them with. */
final class CanonicalEntries implements KeyedEntries {

  private final KeyGroupsSavepointStateHandle handle;
  private final int keyGroups;

  CanonicalEntries(KeyGroupsSavepointStateHandle handle, int keyGroups) {
    this.handle = handle;
    this.keyGroups = keyGroups;
  }

  @Override
  public Backend backend() {
    return Backend.ANY;
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
    var operation =
        new FullSnapshotRestoreOperation<>(
            handle.getKeyGroupRange(),
            CanonicalEntries.class.getClassLoader(),
            List.of(handle),
            StateSerializerProvider.fromNewRegisteredSerializer(keys));
    try (ThrowingIterator<SavepointRestoreResult> results = operation.restore()) {
      while (results.hasNext()) {
        read(results.next(), states, new CompositeKeys(keys, keyGroups), consumer);
      }
    } catch (StateMigrationException e) {
      throw new IOException("its keys are of another kind: " + e.getMessage(), e);
    }
  }

  private static void read(
      SavepointRestoreResult result, List<String> states, CompositeKeys keys, Consumer consumer)
      throws IOException, StateMigrationException {
    List<String> all = new ArrayList<>();
    for (StateMetaInfoSnapshot state : result.getStateMetaInfoSnapshots()) {
      all.add(state.getName());
    }
    try (ThrowingIterator<KeyGroup> groups = result.getRestoredKeyGroups()) {
      while (groups.hasNext()) {
        try (ThrowingIterator<KeyGroupEntry> entries = groups.next().getKeyGroupEntries()) {
          while (entries.hasNext()) {
            KeyGroupEntry entry = entries.next();
            String state = all.get(entry.getKvStateId());
            if (states.contains(state)) {
              DataInputDeserializer value = new DataInputDeserializer(entry.getValue());
              long key = keys.read(entry.getKey());
              consumer.accept(state, keys.namespace(), key, value, value.readInt());
            }
          }
        }
      }
    }
  }
}
