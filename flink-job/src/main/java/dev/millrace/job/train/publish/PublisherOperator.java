package dev.millrace.job.train.publish;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.PendingCheckpoints;
import dev.millrace.exchange.publication.ModelAssembler;
import dev.millrace.exchange.publication.ModelAssembler.Assembled;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
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
 * hold-out set, or released, or both, as the coordinator says; with each completed checkpoint what
 * was released before it is committed; the last one, at the end of the input or on stop, is
 * measured and released. Runs at parallelism 1; emits metric records.
 */
public final class PublisherOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<PublishedPart, String> {

  private final PublisherSettings settings;

  private transient ByteStringState releasedState;
  private transient ModelAssembler assembly;
  private transient ModelPublisher publisher;
  private transient Queue<String> records;

  private transient ReleasedVersions released;
  private transient PendingCheckpoints<CheckpointModel> candidates;

  /** Of the newest complete checkpoint; null before the first. */
  private transient CheckpointModel committed;

  private transient EndParts endParts;
  private transient GlobalModel last;

  private transient long restoredCheckpoint;

  private record CheckpointModel(long checkpoint, GlobalModel model) {}

  public PublisherOperator(PublisherSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    assembly = new ModelAssembler(settings.spec(), settings.layout());
    candidates = new PendingCheckpoints<>();
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(0);
    releasedState = ByteStringState.open(context, "released");
    released =
        new ReleasedVersions(
            releasedState.get().stream()
                .map(version -> ModelVersion.parse(new String(version, StandardCharsets.UTF_8)))
                .findFirst());
    endParts = EndParts.open(context);
    endParts.all().forEach(this::take);
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
    released.newest().ifPresent(version -> publisher.adoptSoon(version, restoredCheckpoint));
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
    endParts.keep(part);
    take(part);
  }

  private void take(PublishedPart part) {
    assembly
        .add(part)
        .ifPresent(
            assembled -> {
              switch (part.trigger().kind()) {
                case ROUND -> publish(assembled);
                case CHECKPOINT -> offer(part.trigger().id(), assembled.model());
                case END -> last = assembled.model();
              }
            });
  }

  private void publish(Assembled assembled) {
    GlobalModel model = assembled.model();
    if (assembled.purposes().contains(Purpose.RELEASE)) {
      if (released.admit(model.version())) {
        if (assembled.purposes().contains(Purpose.KEEP)) {
          publisher.releaseBeforeDrift(model);
        } else {
          publisher.releaseSoon(model);
        }
      } else {
        LOG.warn("Model {} isn't released: {} was", model.version(), released.newest().get());
      }
    }
    if (assembled.purposes().contains(Purpose.MEASURE)) {
      publisher.measureSoon(model);
    }
  }

  private void offer(long checkpoint, GlobalModel model) {
    candidates.add(checkpoint, new CheckpointModel(checkpoint, model));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    candidates.complete(checkpointId).ifPresent(newest -> committed = newest);
    released
        .complete(checkpointId)
        .ifPresent(version -> publisher.commitSoon(version, checkpointId));
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    assembly.forget(PublicationTrigger.checkpoint(checkpointId));
    candidates.abort(checkpointId);
    released.abort(checkpointId);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    released.checkpoint(context.getCheckpointId());
    endParts.save();
    releasedState.set(
        released.newest().stream()
            .map(version -> version.toString().getBytes(StandardCharsets.UTF_8))
            .toList());
  }

  @Override
  public void finish() throws Exception {
    if (last != null) {
      released.admit(last.version());
      publisher.releaseLast(last);
      emitRecords();
    }
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (publisher != null) {
      boolean stopped = !getContainingTask().isCanceled() && !getContainingTask().isFailing();
      if (stopped && last == null && committed != null) {
        // Stopped with a savepoint: this is the savepoint's model.
        publisher.releaseLast(committed.model());
        publisher.commitSoon(committed.model().version(), committed.checkpoint());
      }
      publisher.close(stopped);
      publisher = null;
    }
    super.close();
  }
}
