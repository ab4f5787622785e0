package dev.millrace.cli.progress;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows a growing metrics file, whole lines at a time. The file may not be there yet. */
public final class MetricsTail {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsTail.class);
  private static final int READ_BYTES = 1 << 16;

  private final Path file;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private long position;

  /** Follows what is appended from now on. */
  public MetricsTail(Path file) throws IOException {
    this.file = file;
    this.position = Files.exists(file) ? Files.size(file) : 0;
  }

  /** The lines that were completed since the last call. */
  public List<MetricsLine> next() throws IOException {
    List<MetricsLine> lines = new ArrayList<>();
    if (!Files.exists(file)) {
      return lines;
    }
    ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
    try (FileChannel channel = FileChannel.open(file)) {
      for (int n = channel.read(buffer, position); n > 0; n = channel.read(buffer, position)) {
        position += n;
        buffer.flip();
        while (buffer.hasRemaining()) {
          take(buffer.get(), lines);
        }
        buffer.clear();
      }
    }
    return lines;
  }

  private void take(byte next, List<MetricsLine> lines) {
    if (next != '\n') {
      begun.write(next);
      return;
    }
    String line = begun.toString(StandardCharsets.UTF_8);
    begun.reset();
    if (!line.isBlank()) {
      try {
        MetricsLine.parse(line).ifPresent(lines::add);
      } catch (JsonProcessingException e) {
        // A full disk may have cut it. Training goes on without it.
        LOG.warn("A line of {} is no JSON and left out: {}", file, line);
      }
    }
  }
}
