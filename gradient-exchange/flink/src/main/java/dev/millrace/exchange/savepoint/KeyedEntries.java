package dev.millrace.exchange.savepoint;

import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;

/**
 * Keyed states of byte strings, of one subtask, as a snapshot has them. Only one of their values is
 * in memory at a time.
 */
interface KeyedEntries {

  /** Takes the values one by one. */
  @FunctionalInterface
  interface Consumer {

    /**
     * Takes one value.
     *
     * @param state that has it
     * @param namespace 0 where the state has none
     * @param string the value, which needn't be read to its end
     * @param length of it, in bytes
     */
    void accept(String state, int namespace, long key, DataInput string, int length)
        throws IOException;
  }

  /**
   * Returns the names of all states.
   *
   * @throws IOException if they can't be read, with a message that stands behind a colon
   */
  List<String> states() throws IOException;

  /**
   * Hands out every value of some states, in any order; none of a state that the snapshot hasn't.
   *
   * @param keys reads a key, which takes as many bytes whatever it is
   * @throws IOException if they can't be read, with a message that stands behind a colon
   */
  void forEach(List<String> states, TypeSerializer<? extends Number> keys, Consumer consumer)
      throws IOException;

  /** Returns who wrote the snapshot, as far as the format tells. */
  Backend backend();

  /**
   * Finds out how a snapshot was written. In Flink 2.3, the first that Millrace ran on, each format
   * has a kind of handle of its own: RocksDB's full checkpoints, too, are of RocksDB's files.
   *
   * @param keyGroups of the operator
   */
  static KeyedEntries of(KeyedStateHandle handle, int keyGroups) throws IOException {
    // The first is a kind of the second.
    if (handle instanceof KeyGroupsSavepointStateHandle canonical) {
      return new CanonicalEntries(canonical, keyGroups);
    }
    if (handle instanceof KeyGroupsStateHandle heap) {
      return new HeapEntries(heap);
    }
    if (handle instanceof IncrementalRemoteKeyedStateHandle files) {
      return new RocksEntries(files, keyGroups);
    }
    throw new IOException(
        ("it is of a kind that isn't known here (%s), such as the changelog's; take a savepoint in"
                + " Flink's canonical format")
            .formatted(handle.getClass().getSimpleName()));
  }
}
