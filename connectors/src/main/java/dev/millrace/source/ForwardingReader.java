package dev.millrace.source;

import java.util.List;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** A reader that is another in all that a subclass doesn't change. */
@SuppressWarnings("try") // As the class that it extends.
public abstract class ForwardingReader<T, S extends SourceSplit>
    extends ConvertingReader<T, S, T, S> {

  protected ForwardingReader(SourceReader<T, S> reader) {
    super(reader);
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    return reader.pollNext(output);
  }

  @Override
  public List<S> snapshotState(long checkpointId) {
    return reader.snapshotState(checkpointId);
  }

  @Override
  public void addSplits(List<S> splits) {
    reader.addSplits(splits);
  }
}
