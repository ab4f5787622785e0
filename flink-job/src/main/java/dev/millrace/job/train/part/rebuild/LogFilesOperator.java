package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.log.LogEntry;
import java.io.IOException;
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

  private static final long serialVersionUID = 1;

  private final String location;

  private transient LogFile file;

  /** {@code location} is an absolute path, or a URI. */
  LogFilesOperator(String location) {
    this.location = location;
  }

  @Override
  public void open() throws Exception {
    super.open();
    file = LogDirectory.open(location).begin();
  }

  @Override
  public void processElement(StreamRecord<LogEntry> element) throws IOException {
    file.add(element.getValue());
    if (file.isFull()) {
      file = file.write();
    }
  }

  @Override
  public void endInput() throws IOException {
    file = file.write();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    file = file.write();
  }
}
