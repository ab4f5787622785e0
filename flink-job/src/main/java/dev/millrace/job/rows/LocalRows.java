package dev.millrace.job.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of rows in a directory, by RocksDB: each key with its newest value, and where the copy
 * stands at the place that it is of. Both change together, so a copy that is opened again goes on,
 * after a crash from a moment before.
 *
 * <p>A copy that begins {@linkplain #beginAnew anew} is written beside the rows that are read,
 * until it is {@linkplain #becomeWhole whole}: each key has the number of its rows in front.
 *
 * <p>Reads, and {@link #close}, are for any thread; the rest belongs to one.
 */
public final class LocalRows implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalRows.class);
  private static final long CACHE_BYTES = 256L << 20;
  private static final double BITS_A_KEY = 10;

  /** The number 0 is of what the copy knows of itself. */
  private static final byte[] STATE =
      ByteBuffer.allocate(Integer.BYTES + 1).put(Integer.BYTES, (byte) 's').array();

  private final Path directory;
  private final Cache cache = new LRUCache(CACHE_BYTES);
  private final BloomFilter filter = new BloomFilter(BITS_A_KEY);
  private final Options options;
  private final WriteOptions writing = new WriteOptions();
  private final FlushOptions flushing = new FlushOptions().setWaitForFlush(true);
  private final WriteBatch batch = new WriteBatch();
  private final RocksDB database;

  /**
   * Readers hold it while they read: reading a database that is closed would end the process, and
   * rows that are dropped would seem to be unknown.
   */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private boolean closed;
  private CopyState state = CopyState.EMPTY;
  private int readNumber;

  private LocalRows(Path directory) throws IOException, RocksDBException {
    this.directory = directory;
    this.options =
        new Options()
            .setCreateIfMissing(true)
            // Floats that were learned are as good as random.
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setMaxOpenFiles(-1)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setFilterPolicy(filter)
                    .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash));
    // What a crash loses is read again.
    writing.setDisableWAL(true);
    RocksDB opened = null;
    try {
      opened = RocksDB.open(options, directory.toString());
      byte[] saved = opened.get(STATE);
      state = saved == null ? CopyState.EMPTY : CopyState.of(saved);
    } catch (IOException | RocksDBException e) {
      if (opened != null) {
        opened.close();
      }
      release();
      throw e;
    }
    this.database = opened;
    this.readNumber = state.read();
  }

  /**
   * Opens the copy in a directory, which is made if it isn't there.
   *
   * @throws IOException if that fails, such as where another process has it open
   */
  static LocalRows open(Path directory) throws IOException {
    RocksDB.loadLibrary();
    Files.createDirectories(directory);
    try {
      return new LocalRows(directory);
    } catch (IOException | RocksDBException e) {
      throw new IOException(
          ("the copy in %s can't be opened: %s. Give each process a directory of its own; a damaged"
                  + " one can be deleted")
              .formatted(directory, e.getMessage()),
          e);
    }
  }

  /** Returns where the copy of a place stands; empty if it is of another, or nowhere. */
  String stands(String of) {
    return state.of().equals(of) ? state.stands() : "";
  }

  /** Whether the rows that are written are those that are read. */
  boolean isWhole() {
    return state.read() == state.written();
  }

  /**
   * Takes a record, which {@link #commit} writes: {@link RowRecords} says what it is like. Others
   * are left out.
   */
  public void take(byte[] keyOrNull, byte[] valueOrNull) {
    if (keyOrNull == null || !RowRecords.isKey(keyOrNull)) {
      return;
    }
    byte[] key = key(state.written(), keyOrNull, 0);
    try {
      if (valueOrNull == null) {
        batch.delete(key);
      } else {
        batch.put(key, valueOrNull);
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException("A row can't be kept", e);
    }
  }

  private static byte[] key(int number, byte[] key, int more) {
    byte[] whole = new byte[Integer.BYTES + key.length + more];
    ByteBuffer.wrap(whole).putInt(number).put(key);
    return whole;
  }

  /** Returns how many bytes were taken, and wait in memory for {@link #commit}. */
  public long waiting() {
    return batch.getDataSize();
  }

  /**
   * Writes all that was taken.
   *
   * @param of the place that it was taken of
   * @param stands how far that was read, for its feed; empty where a copy that is opened again has
   *     to begin anew
   */
  public void commit(String of, String stands) throws IOException {
    write(state.at(of, stands));
  }

  private void write(CopyState next) throws IOException {
    try {
      batch.put(STATE, next.bytes());
      database.write(writing, batch);
      batch.clear();
      state = next;
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  /** Forgets what was taken since the last commit. */
  void discard() {
    batch.clear();
  }

  /** Begins to write another copy. The rows that there are are read on. */
  void beginAnew() throws IOException {
    batch.clear();
    if (!isWhole()) {
      drop(state.written());
    }
    write(state.anew());
  }

  /** Has what is written be read, and drops what was read before. */
  void becomeWhole() throws IOException {
    int before = state.read();
    if (isWhole()) {
      return;
    }
    lock.writeLock().lock();
    try {
      drop(before);
      write(state.whole());
      readNumber = state.read();
    } finally {
      lock.writeLock().unlock();
    }
    flush();
    try {
      database.deleteFilesInRanges(
          database.getDefaultColumnFamily(), List.of(first(before), first(before + 1)), false);
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  private void drop(int number) throws IOException {
    try {
      batch.deleteRange(first(number), first(number + 1));
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  private static byte[] first(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** Writes to files what a crash would lose. */
  void flush() throws IOException {
    try {
      database.flush(flushing);
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  /** Returns a value; null if there is none. */
  byte[] get(byte[] key) {
    lock.readLock().lock();
    try {
      requireOpen();
      return database.get(key(readNumber, key, 0));
    } catch (RocksDBException e) {
      throw unreadable(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Returns the values of rows in the order of their ids; null for those that aren't there.
   *
   * @param table key of the table
   * @param ids {@code n} from the first on
   */
  List<byte[]> get(byte[] table, long[] ids, int n) {
    List<byte[]> keys = new ArrayList<>(n);
    lock.readLock().lock();
    try {
      requireOpen();
      int at = Integer.BYTES + table.length;
      for (int i = 0; i < n; i++) {
        byte[] key = key(readNumber, table, Long.BYTES);
        ByteBuffer.wrap(key).putLong(at, ids[i]);
        keys.add(key);
      }
      // RocksDB takes no list without keys.
      return keys.isEmpty() ? keys : database.multiGetAsList(keys);
    } catch (RocksDBException e) {
      throw unreadable(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The copy of rows in %s is closed".formatted(directory));
    }
  }

  private IllegalStateException unreadable(RocksDBException e) {
    return new IllegalStateException("Rows can't be read in " + directory, e);
  }

  private IOException failure(RocksDBException e) {
    return new IOException(
        "the copy in %s can't be used: %s".formatted(directory, e.getMessage()), e);
  }

  /** Writes what is in memory, so that the next one goes on from here. Nobody writes any more. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
    try {
      flush();
    } catch (IOException e) {
      LOG.warn("The copy of rows in {} isn't whole, and is read again from before", directory, e);
    }
    database.close();
    release();
  }

  private void release() {
    batch.close();
    flushing.close();
    writing.close();
    options.close();
    filter.close();
    cache.close();
  }
}
