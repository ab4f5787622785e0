package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
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
  public void forEach(String state, Consumer consumer) throws IOException {
    RocksDB.loadLibrary();
    Path directory = Files.createTempDirectory("millrace-rocksdb-");
    try {
      copyTo(directory);
      read(directory.toString(), state.getBytes(StandardCharsets.UTF_8), consumer);
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

  private void read(String directory, byte[] state, Consumer consumer)
      throws RocksDBException, IOException {
    if (!has(directory, state)) {
      return;
    }
    List<ColumnFamilyHandle> columns = new ArrayList<>();
    try (DBOptions options = new DBOptions();
        RocksDB database =
            RocksDB.openReadOnly(
                options,
                directory,
                List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                    new ColumnFamilyDescriptor(state)),
                columns)) {
      try (RocksIterator entries = database.newIterator(columns.get(1))) {
        read(entries, consumer);
      } finally {
        columns.forEach(ColumnFamilyHandle::close);
      }
    }
  }

  private static boolean has(String directory, byte[] state) throws RocksDBException {
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, directory).stream()
          .anyMatch(column -> Arrays.equals(column, state));
    }
  }

  /**
   * Reads the entries of own key groups: after a change of parallelism the files may still hold
   * others.
   */
  private void read(RocksIterator entries, Consumer consumer) throws RocksDBException, IOException {
    KeyGroupRange own = handle.getKeyGroupRange();
    int prefix = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(keyGroups);
    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
      if (own.contains(CompositeKeySerializationUtils.extractKeyGroup(prefix, entries.key()))) {
        DataInputDeserializer value = new DataInputDeserializer(entries.value());
        consumer.accept(value, value.readInt());
      }
    }
    entries.status();
  }
}
