package dev.millrace.exchange.flink.block;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/**
 * All subtasks of an exchange in Flink's harness. What it is told goes to the subtask that owns the
 * block, as Flink would have it. Contributions are summed up.
 */
final class ExchangeFleet implements AutoCloseable {

  static final int BLOCKS = 6;
  static final int KEY_GROUPS = 12;
  static final BlockLayout LAYOUT = SummingEngine.spec(BLOCKS).layout(1, true);

  private final BlockKeys keys = new BlockKeys(BLOCKS, KEY_GROUPS);
  private final boolean publishesCheckpoints;
  private final boolean direct;
  private final Averaging averaging;
  private final List<
          KeyedTwoInputStreamOperatorTestHarness<Integer, BlockMessage, Decision, Delivery>>
      subtasks = new ArrayList<>();

  private ExchangeFleet(boolean publishesCheckpoints, boolean direct, Averaging averaging) {
    this.publishesCheckpoints = publishesCheckpoints;
    this.direct = direct;
    this.averaging = averaging;
  }

  static ExchangeFleet start(int parallelism) throws Exception {
    return start(parallelism, true, true);
  }

  static ExchangeFleet start(int parallelism, Averaging averaging) throws Exception {
    return new ExchangeFleet(true, true, averaging).open(parallelism);
  }

  static ExchangeFleet start(int parallelism, boolean publishesCheckpoints, boolean direct)
      throws Exception {
    return new ExchangeFleet(publishesCheckpoints, direct, Averaging.NONE).open(parallelism);
  }

  private ExchangeFleet open(int parallelism) throws Exception {
    for (int subtask = 0; subtask < parallelism; subtask++) {
      add(parallelism, subtask).open();
    }
    return this;
  }

  /** One at another parallelism, that continues from what {@link #snapshot} gave. */
  static ExchangeFleet restore(List<OperatorSubtaskState> saved, int parallelism) throws Exception {
    return restore(saved, parallelism, Averaging.NONE);
  }

  static ExchangeFleet restore(
      List<OperatorSubtaskState> saved, int parallelism, Averaging averaging) throws Exception {
    ExchangeFleet fleet = new ExchangeFleet(true, true, averaging);
    OperatorSubtaskState all =
        AbstractStreamOperatorTestHarness.repackageState(
            saved.toArray(OperatorSubtaskState[]::new));
    for (int subtask = 0; subtask < parallelism; subtask++) {
      var harness = fleet.add(parallelism, subtask);
      harness.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              all, KEY_GROUPS, saved.size(), parallelism, subtask));
      harness.open();
    }
    return fleet;
  }

  private KeyedTwoInputStreamOperatorTestHarness<Integer, BlockMessage, Decision, Delivery> add(
      int parallelism, int subtask) throws Exception {
    BlockKeys blockKeys = keys;
    Averaging kept = averaging;
    var harness =
        new KeyedTwoInputStreamOperatorTestHarness<Integer, BlockMessage, Decision, Delivery>(
            new ExchangeOperator(
                blockKeys,
                () ->
                    new Combiner(
                        LAYOUT,
                        Aggregator.sum(),
                        ServerOptimizer.none(1),
                        FeedbackCodecs.WHOLE,
                        kept),
                publishesCheckpoints,
                direct,
                FaultInjector.NONE),
            message -> blockKeys.keyOf(message.block()),
            decision -> blockKeys.keyOf(decision.block()),
            Types.INT,
            KEY_GROUPS,
            parallelism,
            subtask);
    harness.setup(WireType.DELIVERY.createSerializer(new SerializerConfigImpl()));
    subtasks.add(harness);
    return harness;
  }

  void tell(BlockMessage message) throws Exception {
    owner(message.block()).processElement1(new StreamRecord<>(message));
  }

  void tell(Decision decision) throws Exception {
    owner(decision.block()).processElement2(new StreamRecord<>(decision));
  }

  private KeyedTwoInputStreamOperatorTestHarness<Integer, BlockMessage, Decision, Delivery> owner(
      int block) {
    for (int subtask = 0; subtask < subtasks.size(); subtask++) {
      if (keys.isOwned(block, subtask, subtasks.size())) {
        return subtasks.get(subtask);
      }
    }
    throw new AssertionError("Nobody owns block " + block);
  }

  /** Every block starts from its number. */
  void begin() throws Exception {
    for (int block = 0; block < BLOCKS; block++) {
      tell(pull(block, 0, "there/0", block));
    }
    deliveries();
  }

  static Pull pull(int block, int replica, String home, float... initial) {
    return new Pull(block, initial, ServerOptimizerState.NONE, replica, home);
  }

  /** A contribution of {@code change} to one block. */
  static Contribution contribution(int block, int replica, long sequence, float change) {
    return new Contribution(block, replica, sequence, 1, payload(change));
  }

  static Payload payload(float change) {
    return TestPayloads.float32(0, new float[] {change}, 1);
  }

  /** A contribution of {@code change} to every block. */
  void contribute(int replica, long sequence, float change) throws Exception {
    for (int block = 0; block < BLOCKS; block++) {
      tell(contribution(block, replica, sequence, change));
    }
  }

  /** Tells every block of a round. */
  void decide(long round, boolean publish, int... replicas) throws Exception {
    for (int block = 0; block < BLOCKS; block++) {
      tell(TestDecisions.decision(block, round, publish, replicas));
    }
  }

  /** What has gone to feedback sinks since it was last asked for. */
  List<Delivery> deliveries() {
    List<Delivery> deliveries = new ArrayList<>();
    for (var subtask : subtasks) {
      deliveries.addAll(subtask.extractOutputValues());
      subtask.getOutput().clear();
    }
    return deliveries;
  }

  /** What has gone to the publisher since it was last asked for. */
  List<PublishedPart.Block> published() {
    List<PublishedPart.Block> parts = new ArrayList<>();
    for (var subtask : subtasks) {
      Queue<StreamRecord<PublishedPart>> records = subtask.getSideOutput(ExchangeOutputs.PUBLISHED);
      if (records != null) {
        records.forEach(part -> parts.add((PublishedPart.Block) part.getValue()));
        records.clear();
      }
    }
    return parts;
  }

  void advance(Duration time) throws Exception {
    for (var subtask : subtasks) {
      subtask.setProcessingTime(subtask.getProcessingTime() + time.toMillis());
    }
  }

  void beforeBarrier(long checkpoint) throws Exception {
    for (var subtask : subtasks) {
      subtask.prepareSnapshotPreBarrier(checkpoint);
    }
  }

  /** One state a subtask. */
  List<OperatorSubtaskState> snapshot(long checkpoint) throws Exception {
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (var subtask : subtasks) {
      states.add(subtask.snapshot(checkpoint, 0));
    }
    return states;
  }

  void abort(long checkpoint) throws Exception {
    for (var subtask : subtasks) {
      subtask.getOperator().notifyCheckpointAborted(checkpoint);
    }
  }

  /** How many blocks each subtask keeps in its state. */
  List<Integer> entries() {
    List<Integer> entries = new ArrayList<>();
    subtasks.forEach(subtask -> entries.add(subtask.numKeyedStateEntries()));
    return entries;
  }

  void finish() throws Exception {
    for (var subtask : subtasks) {
      subtask.getOperator().finish();
    }
  }

  @Override
  public void close() {
    try {
      for (var subtask : subtasks) {
        subtask.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException("The exchange can't be closed", e);
    }
  }
}
