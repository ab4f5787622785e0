package dev.millrace.job.publish;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.publication.Assembly;
import dev.millrace.exchange.publication.Assembly.Assembled;
import dev.millrace.exchange.publication.Occasion;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
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
 * hold-out set, or released, or both, as the roster says; with each completed checkpoint what was
 * released before it is committed; the last one, at the end of the input or on stop, is measured
 * and released. Runs at parallelism 1; emits metric records.
 */
public final class PublisherOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<PublishedPart, String> {

  private final PublisherSettings settings;

  private transient ByteStringState lastParts;
  private transient ByteStringState releasedState;
  private transient Assembly assembly;
  private transient ModelPublisher publisher;
  private transient Queue<String> records;

  /** Models of checkpoints that aren't known to be complete, by checkpoint. */
  private transient NavigableMap<Long, GlobalModel> candidates;

  /** The newest model of a complete checkpoint. */
  private transient GlobalModel committed;

  private transient long committedBy;

  /** Parts of the last model, which their senders won't send again. */
  private transient List<byte[]> endParts;

  private transient GlobalModel last;

  /** The newest model released before each checkpoint that isn't known to be complete. */
  private transient NavigableMap<Long, ModelVersion> releasedBefore;

  /** The newest model released; before the first, that of the checkpoint gone on from. */
  private transient Optional<ModelVersion> released;

  private transient long restoredCheckpoint;

  public PublisherOperator(PublisherSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    assembly = new Assembly(settings.spec(), settings.layout());
    candidates = new TreeMap<>();
    releasedBefore = new TreeMap<>();
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(0);
    releasedState = ByteStringState.open(context, "released");
    released =
        releasedState.get().stream()
            .map(version -> ModelVersion.parse(new String(version, StandardCharsets.UTF_8)))
            .findFirst();
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
    released.ifPresent(version -> publisher.adoptSoon(version, restoredCheckpoint));
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
            assembled -> {
              switch (part.occasion().kind()) {
                case ROUND -> publish(assembled);
                case CHECKPOINT -> candidates.put(part.occasion().id(), assembled.model());
                case END -> last = assembled.model();
              }
            });
  }

  private void publish(Assembled assembled) {
    GlobalModel model = assembled.model();
    if (assembled.purposes().contains(Purpose.RELEASE)) {
      released = Optional.of(model.version());
      publisher.releaseSoon(model);
    }
    if (assembled.purposes().contains(Purpose.MEASURE)) {
      publisher.measureSoon(model);
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    NavigableMap<Long, GlobalModel> covered = candidates.headMap(checkpointId, true);
    if (!covered.isEmpty()) {
      committed = covered.lastEntry().getValue();
      committedBy = covered.lastKey();
      covered.clear();
    }
    NavigableMap<Long, ModelVersion> releases = releasedBefore.headMap(checkpointId, true);
    if (!releases.isEmpty()) {
      publisher.commitSoon(releases.lastEntry().getValue(), checkpointId);
      releases.clear();
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    candidates.remove(checkpointId);
    releasedBefore.remove(checkpointId);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    released.ifPresent(version -> releasedBefore.put(context.getCheckpointId(), version));
    lastParts.set(endParts);
    releasedState.set(
        released.stream()
            .map(version -> version.toString().getBytes(StandardCharsets.UTF_8))
            .toList());
  }

  @Override
  public void finish() throws Exception {
    if (last != null) {
      released = Optional.of(last.version());
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
        publisher.releaseLast(committed);
        publisher.commitSoon(committed.version(), committedBy);
      }
      publisher.close(stopped);
      publisher = null;
    }
    super.close();
  }
}
