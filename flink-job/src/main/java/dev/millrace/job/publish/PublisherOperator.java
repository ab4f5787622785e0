package dev.millrace.job.publish;

import dev.millrace.exchange.operator.ByteStringState;
import dev.millrace.exchange.publication.Assembly;
import dev.millrace.exchange.publication.Occasion;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.model.GlobalModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Puts models together from their parts and publishes them: a round's model is measured on the
 * hold-out set; a checkpoint's is written once that checkpoint is complete, so that what is written
 * was never taken back; the last one, at the end of the input or on stop, is measured and written.
 * Runs at parallelism 1; emits metric records.
 */
public final class PublisherOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<PublishedPart, String> {

  private final PublisherSettings settings;

  private transient ByteStringState lastParts;
  private transient Assembly assembly;
  private transient ModelPublisher publisher;
  private transient Queue<String> records;

  /** Models of checkpoints that aren't known to be complete, by checkpoint. */
  private transient NavigableMap<Long, GlobalModel> candidates;

  /** The newest model of a complete checkpoint. */
  private transient GlobalModel committed;

  /** Parts of the last model, which their senders won't send again. */
  private transient List<byte[]> endParts;

  private transient GlobalModel last;
  private transient long nextWrite;

  public PublisherOperator(PublisherSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    assembly = new Assembly(settings.spec(), settings.layout());
    candidates = new TreeMap<>();
    lastParts = ByteStringState.open(context, "last-model");
    endParts = new ArrayList<>(lastParts.get());
    for (byte[] part : endParts) {
      take(PublishedPart.WIRE.read(new DataInputStream(new ByteArrayInputStream(part))));
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    records = new ConcurrentLinkedQueue<>();
    MailboxExecutor mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    publisher =
        new ModelPublisher(
            settings,
            record -> {
              records.add(record);
              enqueue(mailbox);
            });
    nextWrite = now() + settings.interval().toMillis();
  }

  private void enqueue(MailboxExecutor mailbox) {
    try {
      mailbox.execute(this::emitRecords, "emit metric records");
    } catch (RejectedExecutionException e) {
      LOG.debug("The publisher is closing; its last records are emitted by finish()");
    }
  }

  private void emitRecords() {
    for (String record = records.poll(); record != null; record = records.poll()) {
      output.collect(new StreamRecord<>(record));
    }
  }

  @Override
  public void processElement(StreamRecord<PublishedPart> element) throws IOException {
    PublishedPart part = element.getValue();
    if (part.occasion().kind() == Occasion.Kind.END) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PublishedPart.WIRE.write(part, new DataOutputStream(bytes));
      endParts.add(bytes.toByteArray());
    }
    take(part);
  }

  private void take(PublishedPart part) {
    assembly
        .add(part)
        .ifPresent(
            model -> {
              switch (part.occasion().kind()) {
                case ROUND -> publisher.measureSoon(model);
                case CHECKPOINT -> candidates.put(part.occasion().id(), model);
                case END -> last = model;
              }
            });
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    NavigableMap<Long, GlobalModel> covered = candidates.headMap(checkpointId, true);
    if (!covered.isEmpty()) {
      committed = covered.lastEntry().getValue();
      covered.clear();
    }
    if (!settings.interval().isZero() && now() >= nextWrite && isUnwritten(committed)) {
      nextWrite = now() + settings.interval().toMillis();
      publisher.writeSoon(committed);
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    candidates.remove(checkpointId);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    lastParts.set(endParts);
  }

  @Override
  public void finish() throws Exception {
    if (last != null) {
      publisher.publishLast(last);
      emitRecords();
    }
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (publisher != null) {
      boolean stopped = !getContainingTask().isCanceled() && !getContainingTask().isFailing();
      if (stopped && last == null && committed != null) {
        // Stopped with a savepoint: this is the savepoint's model. It may be written already, or
        // be waiting for that, but it isn't measured.
        publisher.publishLast(committed);
      }
      publisher.close();
      publisher = null;
    }
    super.close();
  }

  private boolean isUnwritten(GlobalModel model) {
    return model != null && !model.version().equals(publisher.written());
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }
}
