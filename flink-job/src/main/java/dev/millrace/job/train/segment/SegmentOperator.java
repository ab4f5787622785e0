package dev.millrace.job.train.segment;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.flink.ByteStringState.Deferred;
import dev.millrace.exchange.publication.ModelAssembler;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentSamples;
import dev.millrace.job.train.publish.EndParts;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelSpec;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * Keeps samples of the examples that are held out of training, and measures the global model on
 * each segment of them, as often as on a hold-out set. Runs at parallelism 1; emits metric records.
 *
 * <p>In checkpoints are the samples, each example exactly once, and the best score of each segment
 * as of the measurements that were told by then; also the parts of the last model, which is
 * measured once all examples have come.
 */
public final class SegmentOperator extends AbstractStreamOperator<String>
    implements TwoInputStreamOperator<PublishedPart, HeldOutExample, String> {

  private final ModelSpec spec;
  private final BlockLayout layout;
  private final SegmentRule rule;
  private final DeviceRequest device;

  private transient ByteStringState state;
  private transient SegmentSamples samples;
  private transient EndParts endParts;
  private transient ModelAssembler assembly;
  private transient SegmentMeter meter;
  private transient SegmentReports reports;
  private transient Queue<Measured> measured;
  private transient MailboxExecutor mailbox;

  private transient GlobalModel last;

  private record Measured(GlobalModel model, List<SegmentResult> results) {}

  /**
   * @param spec of the model
   * @param layout of the exchanged part of its vector
   * @param device where models are measured
   */
  public SegmentOperator(
      ModelSpec spec, BlockLayout layout, SegmentRule rule, DeviceRequest device) {
    this.spec = spec;
    this.layout = layout;
    this.rule = rule;
    this.device = device;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    samples = new SegmentSamples(rule);
    state = ByteStringState.open(context, "segments");
    samples.restore(state.get());
    state.clear();
    assembly = new ModelAssembler(spec, layout);
    endParts = EndParts.open(context);
    endParts.all().forEach(this::take);
  }

  @Override
  public void open() throws Exception {
    super.open();
    reports = new SegmentReports(spec.shape().target(), rule, samples, getMetricGroup());
    measured = new ConcurrentLinkedQueue<>();
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    meter =
        new SegmentMeter(
            spec,
            device,
            (model, results) -> {
              measured.add(new Measured(model, results));
              soon(this::tell, "tell what was measured by segment");
            });
  }

  private void soon(ThrowingRunnable<Exception> what, String description) {
    try {
      mailbox.execute(what, description);
    } catch (RejectedExecutionException e) {
      LOG.debug(
          "The task is closing: it doesn't {}; finish() tells the last measurement", description);
    }
  }

  private void tell() {
    for (Measured one = measured.poll(); one != null; one = measured.poll()) {
      output.collect(
          new StreamRecord<>(
              reports.tell(one.model.version(), one.results, System.currentTimeMillis())));
    }
  }

  @Override
  public void processElement1(StreamRecord<PublishedPart> element) throws IOException {
    PublishedPart part = element.getValue();
    if (part.trigger().kind() != PublicationTrigger.Kind.CHECKPOINT) {
      endParts.keep(part);
      take(part);
    }
  }

  private void take(PublishedPart part) {
    assembly
        .add(part)
        .ifPresent(
            assembled -> {
              if (part.trigger().kind() == PublicationTrigger.Kind.END) {
                last = assembled.model();
              } else if (assembled.purposes().contains(Purpose.MEASURE)) {
                meter.measureSoon(assembled.model(), samples.examples());
              }
            });
  }

  @Override
  public void processElement2(StreamRecord<HeldOutExample> element) {
    samples.add(element.getValue());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state.deferAll(samples.save().stream().map(one -> (Deferred) one::write).toList());
    endParts.save();
    soon(state::clear, "let go of the checkpoint");
  }

  @Override
  public void finish() throws Exception {
    if (last != null) {
      meter.measureSoon(last, samples.examples());
    }
    meter.await();
    tell();
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (meter != null) {
      meter.close();
      meter = null;
    }
    super.close();
  }
}
