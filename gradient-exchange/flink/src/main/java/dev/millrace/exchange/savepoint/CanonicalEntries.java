package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
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

  CanonicalEntries(KeyGroupsSavepointStateHandle handle) {
    this.handle = handle;
  }

  @Override
  public Backend backend() {
    return Backend.ANY;
  }

  @Override
  public void forEach(String state, Consumer consumer) throws IOException {
    var operation =
        new FullSnapshotRestoreOperation<>(
            handle.getKeyGroupRange(),
            CanonicalEntries.class.getClassLoader(),
            List.of(handle),
            StateSerializerProvider.fromNewRegisteredSerializer(IntSerializer.INSTANCE));
    try (ThrowingIterator<SavepointRestoreResult> results = operation.restore()) {
      while (results.hasNext()) {
        read(results.next(), state, consumer);
      }
    } catch (StateMigrationException e) {
      throw new IOException("its keys are no block's: " + e.getMessage(), e);
    }
  }

  private static void read(SavepointRestoreResult result, String state, Consumer consumer)
      throws IOException, StateMigrationException {
    List<String> states =
        result.getStateMetaInfoSnapshots().stream().map(StateMetaInfoSnapshot::getName).toList();
    int number = states.indexOf(state);
    try (ThrowingIterator<KeyGroup> groups = result.getRestoredKeyGroups()) {
      while (groups.hasNext()) {
        try (ThrowingIterator<KeyGroupEntry> entries = groups.next().getKeyGroupEntries()) {
          while (entries.hasNext()) {
            KeyGroupEntry entry = entries.next();
            if (entry.getKvStateId() == number) {
              DataInputDeserializer value = new DataInputDeserializer(entry.getValue());
              consumer.accept(value, value.readInt());
            }
          }
        }
      }
    }
  }
}
