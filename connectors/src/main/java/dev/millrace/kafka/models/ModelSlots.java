package dev.millrace.kafka.models;

import dev.millrace.model.io.HeapRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * What a {@link ModelTopic} holds, as far as its records have been read in their order.
 *
 * <p>Not thread-safe.
 */
final class ModelSlots {

  /** Asked for, so that other threads have some, too. */
  private static final long RESERVE = 16 << 20;

  private record Block(String version, byte[] content) {}

  private final Map<String, Block> blocks = new HashMap<>();
  private final LongPredicate room;
  private byte[] manifest;

  /** Blocks' bytes since there was last asked for room. */
  private long unasked;

  /** Whether blocks were let go of because they were too many. */
  private boolean crowded;

  ModelSlots() {
    this(HeapRoom::has);
  }

  /**
   * @param room whether there is room for so many bytes
   */
  ModelSlots(LongPredicate room) {
    this.room = room;
  }

  /** Takes the next record; one that isn't of a model is passed over. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null || record.value() == null) {
      return;
    }
    String key = new String(record.key(), StandardCharsets.UTF_8);
    Header version = record.headers().lastHeader(ModelTopic.VERSION_HEADER);
    if (key.equals(ModelTopic.MANIFEST)) {
      manifest = record.value();
    } else if (version != null && ModelTopic.isBlockKey(key)) {
      makeRoom(record.value().length);
      blocks.put(
          key, new Block(new String(version.value(), StandardCharsets.UTF_8), record.value()));
    }
  }

  /** Whoever may write here may write any number of blocks: all go before the heap is full. */
  private void makeRoom(int bytes) {
    unasked += bytes;
    if (unasked >= RESERVE) {
      if (!room.test(RESERVE)) {
        blocks.clear();
        crowded = true;
      }
      unasked = 0;
    }
  }

  /** Whether blocks that were there may be missing. */
  boolean areCrowded() {
    return crowded;
  }

  /**
   * The newest manifest; empty where there is none.
   *
   * @throws IOException if it can't be read
   */
  Optional<ModelManifest> manifest() throws IOException {
    return manifest == null ? Optional.empty() : Optional.of(ModelManifest.read(manifest));
  }

  /**
   * The archive that a manifest tells of.
   *
   * @throws IOException if its blocks aren't there, or aren't what the manifest says
   */
  byte[] archive(ModelManifest newest) throws IOException {
    byte[] bytes = joined(blocks(newest), newest);
    if (!sha256(bytes).equals(newest.sha256())) {
      throw new IOException(
          "The blocks of model %s aren't those of its manifest".formatted(newest.version()));
    }
    return bytes;
  }

  private List<byte[]> blocks(ModelManifest newest) throws IOException {
    List<byte[]> found = new ArrayList<>();
    for (int number = 0; number < newest.blocks(); number++) {
      Block block = blocks.get(ModelTopic.blockKey(newest.slot(), number));
      if (block == null || !block.version().equals(newest.version())) {
        throw new IOException(
            "Block %s of %s of model %s isn't in the topic%s"
                .formatted(
                    number,
                    newest.blocks(),
                    newest.version(),
                    crowded ? ", or didn't fit into memory; give the process more" : ""));
      }
      found.add(block.content());
    }
    return found;
  }

  /** Takes memory for what is there, whatever length the manifest names. */
  private static byte[] joined(List<byte[]> blocks, ModelManifest newest) throws IOException {
    long length = blocks.stream().mapToLong(block -> block.length).sum();
    if (length != newest.bytes() || length > Integer.MAX_VALUE) {
      throw new IOException(
          "The blocks of model %s have %s bytes, and its manifest says %s"
              .formatted(newest.version(), length, newest.bytes()));
    }
    HeapRoom.require(length, "The archive of model " + newest.version());
    ByteBuffer archive = ByteBuffer.allocate((int) length);
    blocks.forEach(archive::put);
    return archive.array();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
