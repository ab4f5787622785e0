package dev.millrace.cli.progress;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.watch.RecordLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Follows a growing metrics file. The file may not be there yet. */
public final class MetricsTail {

  private final RecordLines records;

  /** Follows what is appended from now on. */
  public MetricsTail(Path file) throws IOException {
    this.records = RecordLines.appended(file);
  }

  /** The lines that were completed since the last call. */
  public List<MetricsLine> next() throws IOException {
    List<MetricsLine> lines = new ArrayList<>();
    for (List<ObjectNode> next = records.next(); !next.isEmpty(); next = records.next()) {
      next.forEach(record -> MetricsLine.of(record).ifPresent(lines::add));
    }
    return lines;
  }
}
