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
import dev.millrace.snapshot.RefusedModelException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
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

  /** Nothing of older attempts is left to be written or committed. */
  private static final int MOST_WRITERS = 100;

  private final PublisherSettings settings;

  private transient ByteStringState releasedState;
  private transient ByteStringState adoptionState;
  private transient ByteStringState writerState;
  private transient ModelAssembler assembly;
  private transient ModelPublisher publisher;
  private transient Queue<String> records;

  private transient ReleasedVersions released;
  private transient PendingCheckpoints<CheckpointModel> candidates;

  /** The model of the newest complete checkpoint; null before the first. */
  private transient CheckpointModel committed;

  private transient EndParts endParts;
  private transient GlobalModel last;

  /** The models of attempts before this one that are still to be committed when it opens. */
  private transient List<Adoption> adoptions;

  /** Ids of the attempts that this one continues from. */
  private transient List<String> writers;

  private record CheckpointModel(long checkpoint, GlobalModel model) {}

  public PublisherOperator(PublisherSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    assembly = new ModelAssembler(settings.spec(), settings.layout());
    candidates = new PendingCheckpoints<>();
    releasedState = ByteStringState.open(context, "released");
    released = new ReleasedVersions(texts(releasedState).map(ModelVersion::parse).findFirst());
    adoptionState = ByteStringState.open(context, "adoptions");
    adoptions = new ArrayList<>(texts(adoptionState).map(Adoption::parse).toList());
    long checkpoint = context.getRestoredCheckpointId().orElse(0);
    released
        .newest()
        .map(version -> new Adoption(version, checkpoint))
        .filter(adoption -> !adoptions.contains(adoption))
        .ifPresent(adoptions::add);
    writerState = ByteStringState.open(context, "writers");
    writers = texts(writerState).toList();
    endParts = EndParts.open(context);
    endParts.all().forEach(this::take);
  }

  private static Stream<String> texts(ByteStringState state) throws Exception {
    return state.get().stream().map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  private static void save(ByteStringState state, Stream<?> texts) throws Exception {
    state.set(texts.map(text -> text.toString().getBytes(StandardCharsets.UTF_8)).toList());
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
    publisher.continueFrom(writers, adoptions);
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
    save(releasedState, released.newest().stream());
    save(adoptionState, publisher.toAdopt().stream());
    List<String> all = publisher.writers();
    save(writerState, all.stream().skip(Math.max(0, all.size() - MOST_WRITERS)));
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
      try {
        if (stopped && last == null && committed != null) {
          releaseSavepoint(committed);
        }
      } finally {
        publisher.close(stopped);
        publisher = null;
      }
    }
    super.close();
  }

  /**
   * Releases the last checkpoint's model. Where the job was stopped with a savepoint, this is the
   * savepoint's.
   */
  private void releaseSavepoint(CheckpointModel saved) throws IOException, InterruptedException {
    try {
      publisher.releaseLast(saved.model());
      publisher.commitSoon(saved.model().version(), saved.checkpoint());
    } catch (RefusedModelException e) {
      // The savepoint is whole: only what is published is already that of whoever came after.
      LOG.error("The model of the last checkpoint isn't published: {}", e.getMessage());
    }
  }
}
