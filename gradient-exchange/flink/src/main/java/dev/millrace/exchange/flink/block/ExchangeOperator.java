package dev.millrace.exchange.flink.block;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.FeedbackReceivers;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.WaitWatch;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.Decision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The keyed gradient exchange: each subtask holds the parameter blocks whose keys are its own, and
 * makes their rounds.
 *
 * <p>Blocks live on the heap and go into keyed state when a checkpoint is taken, which is faster
 * with any state backend than state that is touched every round; after a restore each is loaded
 * when it is first asked for.
 */
public final class ExchangeOperator extends AbstractStreamOperator<Delivery>
    implements TwoInputStreamOperator<BlockMessage, Decision, Delivery> {

  /** Name of the keyed state that each block is kept in, see {@link GlobalBlock#write}. */
  public static final String STATE = "block";

  private final BlockKeys keys;
  private final Supplier<Combiner> combiners;
  private final boolean publishesCheckpoints;
  private final boolean direct;
  private final FaultInjector faults;

  private transient ValueState<byte[]> state;
  private transient Combiner combiner;
  private transient GlobalBlock[] blocks;
  private transient BitSet changed;
  private transient FeedbackReceivers receivers;
  private transient int subtask;
  private transient Counter feedbackBytes;
  private transient Counter deliveredBytes;

  /**
   * @param combiners makes this subtask's combiner; must be serializable
   * @param publishesCheckpoints whether the model of each checkpoint goes to the publisher
   * @param direct whether models are handed over in memory to and from replicas of the same process
   */
  public <S extends Supplier<Combiner> & java.io.Serializable> ExchangeOperator(
      BlockKeys keys,
      S combiners,
      boolean publishesCheckpoints,
      boolean direct,
      FaultInjector faults) {
    this.keys = keys;
    this.combiners = combiners;
    this.publishesCheckpoints = publishesCheckpoints;
    this.direct = direct;
    this.faults = faults;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getKeyedStateStore()
            .getState(new ValueStateDescriptor<>(STATE, BytePrimitiveArraySerializer.INSTANCE));
    combiner = combiners.get();
    blocks = new GlobalBlock[keys.blocks()];
    changed = new BitSet();
    receivers =
        new FeedbackReceivers(home -> direct ? ReplicaLinks.find(home) : null, this::deliver);
    subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
  }

  @Override
  public void open() throws Exception {
    super.open();
    feedbackBytes = MillraceMetrics.of(getMetricGroup()).counter("feedbackBytes");
    deliveredBytes = MillraceMetrics.of(getMetricGroup()).counter("deliveredBytes");
    WaitWatch unused = WaitWatch.start(getProcessingTimeService(), this::waitsFor);
  }

  @Override
  public void processElement1(StreamRecord<BlockMessage> element) throws Exception {
    faults.reach(Place.EXCHANGE, subtask);
    BlockMessage message = element.getValue();
    GlobalBlock block = load(message.block());
    if (message instanceof Pull pull) {
      block.initialize(pull.initial(), pull.serverOptimizer(), combiner);
      receivers.ask(pull);
      if (block.isInitialized()) {
        receivers.answer(block, combiner);
      }
    } else if (message instanceof Handover handover) {
      block.add(receivers.take(handover));
    } else if (message instanceof Contribution contribution) {
      block.add(contribution);
    } else if (message instanceof Part part) {
      block.add(part);
    }
    advance(block);
  }

  @Override
  public void processElement2(StreamRecord<Decision> element) throws Exception {
    faults.reach(Place.EXCHANGE, subtask);
    GlobalBlock block = load(element.getValue().block());
    block.add(element.getValue());
    advance(block);
  }

  /** Tells the first block that waits: the others mostly wait for the same. */
  private Optional<String> waitsFor() {
    return Arrays.stream(blocks)
        .filter(Objects::nonNull)
        .filter(block -> !block.isInitialized() || !block.lacks().isEmpty())
        .findFirst()
        .map(
            block ->
                block.isInitialized()
                    ? "Round %s of block %s lacks the contributions of replicas %s"
                        .formatted(block.round() + 1, block.block(), block.lacks())
                    : "Block %s lacks the values that the model starts from"
                        .formatted(block.block()));
  }

  private void deliver(Delivery delivery) {
    deliveredBytes.inc(delivery.bytes());
    output.collect(new StreamRecord<>(delivery));
  }

  private void advance(GlobalBlock block) {
    changed.set(block.block());
    for (Decision made = next(block); made != null; made = next(block)) {
      if (made.isOfMembers()) {
        receivers.tell(block, combiner);
        feedbackBytes.inc(block.feedback(combiner, false).bytes());
      }
      if (made.publish()) {
        publish(PublicationTrigger.round(made.round()), block);
      }
    }
  }

  private Decision next(GlobalBlock block) {
    try {
      return block.advance(combiner);
    } catch (ArithmeticException e) {
      throw new NonRecoverableException(e);
    }
  }

  private void publish(PublicationTrigger trigger, GlobalBlock block) {
    float[] values = block.published(combiner);
    if (values.length > 0) {
      boolean average = combiner.averaging().published();
      output.collect(
          ExchangeOutputs.PUBLISHED,
          new StreamRecord<>(
              new PublishedPart.Block(trigger, block.block(), block.round(), average, values)));
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    if (publishesCheckpoints) {
      publishAll(PublicationTrigger.checkpoint(checkpointId));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    for (int block = changed.nextSetBit(0); block >= 0; block = changed.nextSetBit(block + 1)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(blocks[block].writtenSize());
      blocks[block].write(new DataOutputStream(bytes));
      setCurrentKey(keys.keyOf(block));
      state.update(bytes.toByteArray());
    }
    changed.clear();
  }

  @Override
  public void finish() throws Exception {
    publishAll(PublicationTrigger.end());
    super.finish();
  }

  private void publishAll(PublicationTrigger trigger) throws IOException {
    int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    for (int number = 0; number < keys.blocks(); number++) {
      if (keys.isOwned(number, subtask, subtasks)) {
        setCurrentKey(keys.keyOf(number));
        publish(trigger, load(number));
      }
    }
  }

  /** The block of that number; Flink's current key must be its key. */
  private GlobalBlock load(int number) throws IOException {
    if (blocks[number] == null) {
      byte[] bytes = state.value();
      blocks[number] =
          bytes == null
              ? new GlobalBlock(number)
              : GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }
    return blocks[number];
  }
}
