package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A growing file of metric records, whole lines at a time. It may not be there yet; one that has
 * become shorter is read anew.
 *
 * <p>Not thread-safe.
 */
public final class RecordLines {

  private static final Logger LOG = LoggerFactory.getLogger(RecordLines.class);
  private static final int READ_BYTES = 1 << 18;

  private final Path file;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private long position;
  private boolean hasWarned;
  private boolean isPassedOver;

  private RecordLines(Path file, long position) {
    this.file = file;
    this.position = position;
  }

  /** Reads it from its first line on. */
  public static RecordLines all(Path file) {
    return new RecordLines(file, 0);
  }

  /** Reads what is appended from now on. */
  public static RecordLines appended(Path file) throws IOException {
    return new RecordLines(file, Files.exists(file) ? Files.size(file) : 0);
  }

  /**
   * Records whose lines are complete, since the last call; up to a quarter of a megabyte of them,
   * and none where there are no more.
   */
  public List<ObjectNode> next() throws IOException {
    List<ObjectNode> records = new ArrayList<>();
    if (!Files.exists(file)) {
      return records;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      if (channel.size() < position) {
        position = 0;
        begun.reset();
      }
      ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
      int read = channel.read(buffer, position);
      while (read > 0) {
        position += read;
        take(buffer.array(), read, records);
        if (!records.isEmpty()) {
          break;
        }
        buffer.clear();
        read = channel.read(buffer, position);
      }
    }
    return records;
  }

  private void take(byte[] bytes, int count, List<ObjectNode> records) {
    int from = 0;
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        begun.write(bytes, from, i - from);
        add(isPassedOver ? new byte[0] : begun.toByteArray(), records);
        begun.reset();
        isPassedOver = false;
        from = i + 1;
      }
    }
    begun.write(bytes, from, count - from);
    if (begun.size() > MetricRecord.MOST_BYTES) {
      // No metric record: what is given by mistake isn't kept in memory.
      begun.reset();
      isPassedOver = true;
    }
  }

  /** A line that is none was cut, by a full disk for example. */
  private void add(byte[] line, List<ObjectNode> records) {
    Optional<ObjectNode> record = MetricRecord.parse(line);
    record.ifPresent(records::add);
    if (record.isEmpty() && !hasWarned) {
      hasWarned = true;
      LOG.warn(
          "A line of {} is no record of at most 1 MB and left out, as others like it will be",
          file);
    }
  }
}
