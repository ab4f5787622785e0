package dev.millrace.exchange.savepoint;

import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.util.FileUtils;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Checkpoints, full or incremental, and native savepoints of the RocksDB backend: RocksDB's own
 * files. They are copied to a temporary directory, opened there to be read only, and deleted.
 */
final class RocksEntries implements KeyedEntries {

  private final IncrementalRemoteKeyedStateHandle handle;
  private final int keyGroups;

  RocksEntries(IncrementalRemoteKeyedStateHandle handle, int keyGroups) {
    this.handle = handle;
    this.keyGroups = keyGroups;
  }

  @Override
  public Backend backend() {
    return Backend.ROCKSDB;
  }

  @Override
  public List<String> states() throws IOException {
    try (FSDataInputStream in = handle.getMetaDataStateHandle().openInputStream()) {
      return StateNames.of(StateNames.header(in));
    }
  }

  @Override
  public void forEach(List<String> states, TypeSerializer<? extends Number> keys, Consumer consumer)
      throws IOException {
    RocksDB.loadLibrary();
    Path directory = TemporaryFiles.directory("millrace-rocksdb-");
    try {
      copyTo(directory);
      read(directory.toString(), states, new CompositeKeys(keys, keyGroups), consumer);
    } catch (RocksDBException e) {
      throw new IOException("its files are no database of RocksDB's: " + e.getMessage(), e);
    } finally {
      FileUtils.deleteDirectory(directory.toFile());
    }
  }

  private void copyTo(Path directory) throws IOException {
    for (HandleAndLocalPath file :
        Stream.concat(handle.getSharedState().stream(), handle.getPrivateState().stream())
            .toList()) {
      Path target = directory.resolve(file.getLocalPath()).normalize();
      if (!directory.equals(target.getParent())) {
        throw new IOException("'%s' is no name of a file".formatted(file.getLocalPath()));
      }
      try (InputStream in = file.getHandle().openInputStream()) {
        Files.copy(in, target);
      }
    }
  }

  private void read(String directory, List<String> states, CompositeKeys keys, Consumer consumer)
      throws RocksDBException, IOException {
    List<String> present = present(directory, states);
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (String state : present) {
      families.add(new ColumnFamilyDescriptor(state.getBytes(StandardCharsets.UTF_8)));
    }
    List<ColumnFamilyHandle> columns = new ArrayList<>();
    try (DBOptions options = new DBOptions();
        RocksDB database = RocksDB.openReadOnly(options, directory, families, columns)) {
      try {
        for (int i = 0; i < present.size(); i++) {
          try (RocksIterator entries = database.newIterator(columns.get(i + 1))) {
            read(present.get(i), entries, keys, consumer);
          }
        }
      } finally {
        columns.forEach(ColumnFamilyHandle::close);
      }
    }
  }

  private static List<String> present(String directory, List<String> states)
      throws RocksDBException {
    try (Options options = new Options()) {
      List<String> columns =
          RocksDB.listColumnFamilies(options, directory).stream()
              .map(column -> new String(column, StandardCharsets.UTF_8))
              .toList();
      return states.stream().filter(columns::contains).toList();
    }
  }

  /**
   * Reads the entries of own key groups: after a change of parallelism the files may still hold
   * others.
   */
  private void read(String state, RocksIterator entries, CompositeKeys keys, Consumer consumer)
      throws RocksDBException, IOException {
    KeyGroupRange own = handle.getKeyGroupRange();
    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
      byte[] key = entries.key();
      if (own.contains(keys.keyGroup(key))) {
        DataInputDeserializer value = new DataInputDeserializer(entries.value());
        long id = keys.read(key);
        consumer.accept(state, keys.namespace(), id, value, value.readInt());
      }
    }
    entries.status();
  }
}
