package dev.millrace.job.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.kafka.topic.TopicPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
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
 * A copy of a topic of rows in a directory, by RocksDB: each key with its newest value, and how far
 * the topic was read. Both change together, so a copy that is opened again goes on. Reads are for
 * any thread; the rest belongs to one.
 */
final class LocalRows implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalRows.class);
  private static final long CACHE_BYTES = 256L << 20;
  private static final double BITS_A_KEY = 10;
  private static final byte[] TOPIC = {0, 't'};
  private static final byte OFFSET = 'o';
  private static final int OFFSET_KEY = 2 + Integer.BYTES;

  private final Path directory;
  private final Cache cache;
  private final BloomFilter filter;
  private final Options options;
  private final WriteOptions writing;
  private final RocksDB database;
  private final WriteBatch batch = new WriteBatch();

  /** Reading a database that is closed would end the process. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private boolean closed;

  private LocalRows(Path directory) throws RocksDBException {
    this.directory = directory;
    this.cache = new LRUCache(CACHE_BYTES);
    this.filter = new BloomFilter(BITS_A_KEY);
    this.options =
        new Options()
            .setCreateIfMissing(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setMaxOpenFiles(-1)
            .setTableFormatConfig(
                new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter));
    // What a crash loses is read again.
    this.writing = new WriteOptions().setDisableWAL(true);
    this.database = RocksDB.open(options, directory.toString());
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
    } catch (RocksDBException e) {
      throw new IOException(
          ("the copy in %s can't be opened: %s. Give each process a directory of its own; a damaged"
                  + " one can be deleted")
              .formatted(directory, e.getMessage()),
          e);
    }
  }

  /** Where the topic was read to. */
  TopicPlace place() throws IOException {
    try {
      byte[] topic = database.get(TOPIC);
      Map<Integer, Long> offsets = new HashMap<>();
      for (int partition = 0; ; partition++) {
        byte[] offset = database.get(offsetKey(partition));
        if (offset == null) {
          return new TopicPlace(topic == null ? "" : new String(topic, UTF_8), offsets);
        }
        offsets.put(partition, ByteBuffer.wrap(offset).getLong());
      }
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  private static byte[] offsetKey(int partition) {
    return ByteBuffer.allocate(OFFSET_KEY).put((byte) 0).put(OFFSET).putInt(partition).array();
  }

  /** Takes a record of the topic, which {@link #commit} makes readable. */
  void take(byte[] key, byte[] valueOrNull) {
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

  /** Makes all readable that was taken, which is the topic up to a place. */
  void commit(TopicPlace place) throws IOException {
    try {
      batch.put(TOPIC, place.topicId().getBytes(UTF_8));
      for (Map.Entry<Integer, Long> offset : place.offsets().entrySet()) {
        batch.put(
            offsetKey(offset.getKey()),
            ByteBuffer.allocate(Long.BYTES).putLong(offset.getValue()).array());
      }
      database.write(writing, batch);
      batch.clear();
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  /** Forgets all. */
  void clear() throws IOException {
    byte[] last = new byte[256];
    Arrays.fill(last, (byte) 0xff);
    try {
      database.deleteRange(new byte[0], last);
    } catch (RocksDBException e) {
      throw failure(e);
    }
  }

  /** Returns a value; null if there is none. */
  byte[] get(byte[] key) {
    return get(List.of(key)).get(0);
  }

  /** Returns values in the order of their keys; null for those that aren't there. */
  List<byte[]> get(List<byte[]> keys) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("The copy of rows in %s is closed".formatted(directory));
      }
      return database.multiGetAsList(keys);
    } catch (RocksDBException e) {
      throw new IllegalStateException("Rows can't be read in " + directory, e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private IOException failure(RocksDBException e) {
    return new IOException(
        "the copy in %s can't be used: %s".formatted(directory, e.getMessage()), e);
  }

  /** Writes what is in memory, so that the next one goes on from here. */
  @Override
  public void close() {
    lock.writeLock().lock();
    closed = true;
    lock.writeLock().unlock();
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      database.flush(wait);
    } catch (RocksDBException e) {
      LOG.warn("The copy of rows in {} isn't whole, and is read again from before", directory, e);
    }
    batch.close();
    database.close();
    writing.close();
    options.close();
    filter.close();
    cache.close();
  }
}
