package dev.millrace.job.rows.files;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes of rows to a directory, and publishes them with the checkpoint that has them. It
 * runs once, and emits nothing. It waits for no one but the file system.
 */
public final class RowFilesOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<RowChange, String> {

  private static final Logger LOG = LoggerFactory.getLogger(RowFilesOperator.class);
  private static final String STATE = "row-files";

  private final String location;
  private final List<RowTable> tables;
  private final SnapshotPlace modelsOrNull;
  private transient ByteStringState state;
  private transient ExecutorService merging;
  private transient RowPublication publication;

  /**
   * @param tables in the order of their numbers
   * @param modelsOrNull where the job publishes models, if it does
   */
  public RowFilesOperator(String location, List<RowTable> tables, SnapshotPlace modelsOrNull) {
    this.location = location;
    this.tables = List.copyOf(tables);
    this.modelsOrNull = modelsOrNull;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = ByteStringState.open(context, STATE);
    List<byte[]> saved = state.get();
    merging = Executors.newSingleThreadExecutor(new ExecutorThreadFactory("millrace-row-files"));
    try {
      publication =
          RowPublication.open(
              RowDirectory.open(location),
              getRuntimeContext().getJobInfo().getJobId().toHexString().substring(0, 8),
              tables,
              saved.isEmpty() ? null : saved.get(0),
              this::newestModel,
              System::currentTimeMillis,
              RowPublication.MOST_BYTES,
              merging);
    } catch (UnusableDirectoryException e) {
      throw new NonRecoverableException(e);
    }
  }

  private String newestModel() {
    if (modelsOrNull == null) {
      return "";
    }
    try {
      return new SnapshotCatalog(modelsOrNull.open())
          .pointer(Pointer.LATEST)
          .map(Pointer::version)
          .orElse("");
    } catch (IOException e) {
      LOG.warn("It can't be said which model is the newest in {}", modelsOrNull.location(), e);
      return "";
    }
  }

  @Override
  public void processElement(StreamRecord<RowChange> element) throws Exception {
    RowChange change = element.getValue();
    if (change.saysThatMoreComes()) {
      publication.lacksRows();
    } else if (!change.isOfTable()) {
      publication.change(change.table(), change.id(), change.valuesOrNull());
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.set(List.of(publication.save(context.getCheckpointId())));
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    try {
      publication.complete(checkpoint);
    } catch (UnusableDirectoryException e) {
      throw new NonRecoverableException(e);
    }
  }

  @Override
  public void close() throws Exception {
    if (publication != null) {
      publication.close();
    }
    if (merging != null) {
      merging.shutdown();
    }
    super.close();
  }
}
