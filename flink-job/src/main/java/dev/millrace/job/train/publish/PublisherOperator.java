package dev.millrace.job.train.publish;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.PendingCheckpoints;
import dev.millrace.exchange.publication.ModelAssembler;
import dev.millrace.exchange.publication.ModelAssembler.Assembled;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.job.train.measure.SegmentMeasurement;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.RefusedModelException;
import dev.millrace.snapshot.Writers;
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
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * Puts models together from their parts and publishes them: a round's model is measured on the
 * hold-out set, or released, or both, as the coordinator says; with each completed checkpoint what
 * was released before it is committed; the last one, at the end of the input or on stop, is
 * measured and released. Where segments are on, what is measured is measured on each of them, too.
 * Runs at parallelism 1; emits metric records.
 */
public final class PublisherOperator extends AbstractStreamOperator<String>
    implements TwoInputStreamOperator<PublishedPart, HeldOutExample, String> {

  private static final String RELEASED = "released";
  private static final String ADOPTIONS = "adoptions";
  private static final String WRITERS = "writers";

  /** Names of the states that say who may go on publishing, and nothing of models. */
  public static final List<String> WRITER_STATES = List.of(WRITERS);

  /** The states that aren't of one model's shape. */
  public static final List<String> LASTING_STATES = List.of(RELEASED, ADOPTIONS, WRITERS);

  /** Nothing of older attempts is left to be written or committed. */
  private static final int MOST_WRITERS = 100;

  private final PublisherSettings settings;
  private final SegmentRule rule;
  private final PublisherThread thread;
  private final PlannedCheckpoints checkpoints;

  private transient ByteStringState releasedState;
  private transient ByteStringState adoptionState;
  private transient ByteStringState writerState;
  private transient ModelAssembler assembly;
  private transient MailboxExecutor mailbox;
  private transient ModelPublisher publisher;

  /** Null where segments are off. */
  private transient SegmentMeasurement segments;

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

  /**
   * @param rule which examples are held out, to measure models by segment
   * @param checkpoints that the job has to have
   */
  public PublisherOperator(
      PublisherSettings settings, SegmentRule rule, PlannedCheckpoints checkpoints) {
    this(settings, rule, PublisherThread.OWN, checkpoints);
  }

  /**
   * Publishes in a task without a job, whose configuration has no checkpoints.
   *
   * @param thread that models are published on
   */
  public PublisherOperator(PublisherSettings settings, SegmentRule rule, PublisherThread thread) {
    this(settings, rule, thread, new PlannedCheckpoints(false));
  }

  private PublisherOperator(
      PublisherSettings settings,
      SegmentRule rule,
      PublisherThread thread,
      PlannedCheckpoints checkpoints) {
    this.settings = settings;
    this.rule = rule;
    this.thread = thread;
    this.checkpoints = checkpoints;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    checkpoints.require(getContainingTask().getJobConfiguration());
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    records = new ConcurrentLinkedQueue<>();
    assembly = new ModelAssembler(settings.spec(), settings.layout());
    candidates = new PendingCheckpoints<>();
    releasedState = ByteStringState.open(context, RELEASED);
    released = new ReleasedVersions(texts(releasedState).map(ModelVersion::parse).findFirst());
    adoptionState = ByteStringState.open(context, ADOPTIONS);
    adoptions = new ArrayList<>(texts(adoptionState).map(Adoption::parse).toList());
    long checkpoint = context.getRestoredCheckpointId().orElse(0);
    released
        .newest()
        .filter(version -> adoptions.stream().noneMatch(one -> one.covered().equals(version)))
        .map(version -> new Adoption(version, checkpoint))
        .ifPresent(adoptions::add);
    writerState = ByteStringState.open(context, WRITERS);
    writers = texts(writerState).toList();
    segments = segments(context);
    endParts = EndParts.open(context);
    endParts.all().forEach(this::take);
  }

  private SegmentMeasurement segments(StateInitializationContext context) throws Exception {
    if (!rule.isOn()) {
      SegmentMeasurement.dropSamples(context);
      return null;
    }
    return new SegmentMeasurement(
        context,
        rule,
        settings.spec(),
        settings.device(),
        settings.rowsOrNull(),
        getMetricGroup(),
        this::emitSoon);
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
    publisher =
        new ModelPublisher(
            settings,
            record -> {
              records.add(record);
              emitSoon();
            },
            thread.start());
    publisher.continueFrom(
        Writers.after(writers, last == null ? -1 : last.version().generation()), adoptions);
  }

  private void emitSoon() {
    soon(this::emitRecords, "emit metric records");
  }

  private void soon(ThrowingRunnable<Exception> what, String description) {
    try {
      mailbox.execute(what, description);
    } catch (RejectedExecutionException e) {
      LOG.debug(
          "The publisher is closing: it doesn't {}; finish() emits its last records", description);
    }
  }

  private void emitRecords() {
    for (String record = records.poll(); record != null; record = records.poll()) {
      output.collect(new StreamRecord<>(record));
    }
    if (segments != null) {
      segments.tell().forEach(record -> output.collect(new StreamRecord<>(record)));
    }
  }

  @Override
  public void processElement1(StreamRecord<PublishedPart> element) throws IOException {
    PublishedPart part = element.getValue();
    if (isBehindEarlierEnd(part)) {
      forgetEarlierEnd();
    }
    endParts.keep(part);
    take(part);
  }

  @Override
  public void processElement2(StreamRecord<HeldOutExample> element) {
    // Some may be on their way in the checkpoint of a job that had segments on.
    if (segments != null) {
      segments.add(element.getValue());
    }
  }

  private void take(PublishedPart part) {
    assembly
        .add(part)
        .ifPresent(
            assembled -> {
              switch (part.trigger().kind()) {
                case ROUND -> publish(assembled);
                case CHECKPOINT -> {
                  offer(part.trigger().id(), assembled.model());
                  publish(assembled);
                }
                case END -> last = assembled.model();
              }
            });
  }

  /**
   * Whether the job has gone on since an attempt before this one ended: it was drained, and started
   * again with more input, or failed while it was drained.
   */
  private boolean isBehindEarlierEnd(PublishedPart part) {
    return endParts.areOlderThan(part.round())
        || (last != null
            && part instanceof PublishedPart.Head head
            && head.trigger().kind() != PublicationTrigger.Kind.END
            && head.version().generation() > last.version().generation());
  }

  private void forgetEarlierEnd() throws IOException {
    endParts.forgetEarlier();
    assembly.forget(PublicationTrigger.end());
    last = null;
    endParts.all().forEach(this::take);
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
    if (assembled.purposes().contains(Purpose.UPDATE)) {
      publisher.update(model);
    }
    if (assembled.purposes().contains(Purpose.MEASURE)) {
      publisher.measureSoon(model);
      if (segments != null) {
        segments.measureSoon(model);
      }
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
    if (segments != null) {
      segments.save();
      soon(segments::letGo, "let go of the checkpoint");
    }
  }

  @Override
  public void finish() throws Exception {
    if (last != null) {
      released.admit(last.version());
      publisher.releaseLast(last);
      if (segments != null) {
        segments.measureSoon(last);
      }
    }
    if (segments != null) {
      segments.await();
    }
    emitRecords();
    super.finish();
  }

  @Override
  public void close() throws Exception {
    try {
      closePublisher();
    } finally {
      if (segments != null) {
        segments.close();
        segments = null;
      }
    }
    super.close();
  }

  private void closePublisher() throws Exception {
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
