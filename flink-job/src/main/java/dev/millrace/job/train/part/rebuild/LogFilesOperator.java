package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.log.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Writes entries to a directory: when a checkpoint is taken, those of all rounds that are in it. So
 * they are there before it is complete. What attempts that failed have written leads nowhere, and
 * stays.
 */
final class LogFilesOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<LogEntry, String>, BoundedOneInput {

  /** More than that isn't kept in memory. */
  private static final int MOST_BYTES = 4 << 20;

  private static final long serialVersionUID = 1;

  private final String location;

  private transient LogDirectory directory;
  private transient List<byte[]> lines;
  private transient int bytes;

  /** The version of the first line. */
  private transient String first;

  /** {@code location} is a path or a URI. */
  LogFilesOperator(String location) {
    this.location = location;
  }

  @Override
  public void open() throws Exception {
    super.open();
    directory = LogDirectory.open(location);
    directory.make();
    lines = new ArrayList<>();
  }

  @Override
  public void processElement(StreamRecord<LogEntry> element) throws IOException {
    LogEntry entry = element.getValue();
    if (lines.isEmpty()) {
      first = entry.version().toString();
    }
    byte[] line = LogLine.write(entry);
    lines.add(line);
    bytes += line.length;
    if (bytes > MOST_BYTES) {
      write();
    }
  }

  @Override
  public void endInput() throws IOException {
    write();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    write();
  }

  private void write() throws IOException {
    if (!lines.isEmpty()) {
      directory.write(lines, first);
      lines.clear();
      bytes = 0;
    }
  }
}
