package dev.millrace.exchange.flink.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.LoggedWaits;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatherOperatorTest {

  private static final BlockLayout LAYOUT = new BlockLayout(1, 1, 1, List.of());

  private final ReplicaLink link = ReplicaLinks.open();
  private final List<TwoInputStreamOperatorTestHarness<ToGatherer, GatherOrder, BlockMessage>>
      subtasks = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    ReplicaLinks.close(link);
    for (var subtask : subtasks) {
      subtask.close();
    }
  }

  @Test
  void aReplicaOfTheSameProcessLeavesItsPayloadsInMemory() throws Exception {
    start(1, true);
    link.gatherAt(0);
    Contribution first = contribution(0, 1, 4);
    Contribution second = contribution(0, 2, 6);

    BlockMessage whole = link.handOver(first);
    assertThat(whole).as("it has yet to find the replica").isSameAs(first);
    tell(0, whole);
    BlockMessage handover = link.handOver(second);
    assertThat(handover).isEqualTo(new Handover(0, 0, 2, 1));
    ReplicaLinks.close(link);
    tell(0, handover);
    order(0, 1, id(0, 1));
    order(0, 2, id(0, 2));

    assertThat(parts(0))
        .extracting(Part::payload)
        .containsExactly(first.payload(), second.payload());
  }

  @Test
  void whereNothingIsToStayInMemoryAllIsSentWhole() throws Exception {
    start(1, false);
    link.gatherAt(0);
    tell(0, contribution(0, 1, 4));

    assertThat(link.handOver(contribution(0, 2, 6))).isInstanceOf(Contribution.class);
  }

  /** Two wait, one of three was sent: at another parallelism each is somewhere, once. */
  @Test
  void whatWaitsIsDealtOutWhenParallelismChanges() throws Exception {
    start(1, true);
    tell(0, contribution(0, 1, 1));
    tell(0, contribution(1, 1, 2));
    tell(0, contribution(2, 1, 3));
    order(0, 1, id(0, 1));
    OperatorSubtaskState saved = subtasks.get(0).snapshot(1, 0);
    tell(0, contribution(0, 2, 7));
    assertThat(parts(0)).hasSize(1);
    subtasks.get(0).close();
    subtasks.clear();

    for (int subtask = 0; subtask < 3; subtask++) {
      var harness = add(3, subtask, true);
      harness.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              AbstractStreamOperatorTestHarness.repackageState(saved), 128, 1, 3, subtask));
      harness.open();
    }
    List<Part> all = new ArrayList<>();
    for (int subtask = 0; subtask < 3; subtask++) {
      subtasks
          .get(subtask)
          .processElement2(
              new StreamRecord<>(
                  new GatherOrder(subtask, 2, List.of(), List.of(id(1, 1), id(2, 1)))));
      all.addAll(parts(subtask));
    }

    assertThat(all)
        .extracting(Part::members)
        .containsExactlyInAnyOrder(TestDecisions.members(1), TestDecisions.members(2));
    assertThat(all)
        .extracting(part -> part.payload().receive(new float[1], 1)[0])
        .containsExactlyInAnyOrder(2f, 3f);
  }

  @Test
  void aGathererThatWaitsForLongSaysWhoseContributionItLacks() throws Exception {
    start(1, true);
    tell(0, contribution(1, 1, 4));
    order(0, 3, id(0, 1), id(1, 1));

    try (var log = new LoggedWaits()) {
      subtasks.get(0).setProcessingTime(LoggedWaits.INTERVAL.toMillis());
      subtasks.get(0).setProcessingTime(2 * LoggedWaits.INTERVAL.toMillis());

      assertThat(log.told())
          .singleElement()
          .asString()
          .startsWith(
              "Round 3 of block 0 lacks the contributions of replicas [0], which are to be"
                  + " combined");
    }
  }

  @Test
  void whatIsSentComesBackAsItWas() throws IOException {
    ToGatherer whole = ToGatherer.of(2, "here/1", contribution(0, 1, 4));
    ToGatherer handover = ToGatherer.of(2, "here/1", new Handover(0, 0, 2, 1));
    assertThat(handover.home()).isEmpty();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ToGatherer.WIRE.write(whole, new DataOutputStream(bytes));
    ToGatherer.WIRE.write(handover, new DataOutputStream(bytes));

    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    ToGatherer read = ToGatherer.WIRE.read(in);
    assertThat(read.home()).isEqualTo("here/1");
    assertThat(read.gatherer()).isEqualTo(2);
    assertThat(((Contribution) read.message()).payload().receive(new float[1], 1))
        .containsExactly(4);
    assertThat(ToGatherer.WIRE.read(in)).isEqualTo(handover);
  }

  private void start(int parallelism, boolean direct) throws Exception {
    for (int subtask = 0; subtask < parallelism; subtask++) {
      add(parallelism, subtask, direct).open();
    }
  }

  private TwoInputStreamOperatorTestHarness<ToGatherer, GatherOrder, BlockMessage> add(
      int parallelism, int subtask, boolean direct) throws Exception {
    var harness =
        new TwoInputStreamOperatorTestHarness<ToGatherer, GatherOrder, BlockMessage>(
            new GatherOperator(LAYOUT, Aggregator.weightedMean(), direct, FaultInjector.NONE),
            128,
            parallelism,
            subtask);
    harness.setup(WireType.BLOCK_MESSAGE.createSerializer(new SerializerConfigImpl()));
    subtasks.add(harness);
    return harness;
  }

  private void tell(int subtask, BlockMessage message) throws Exception {
    subtasks
        .get(subtask)
        .processElement1(new StreamRecord<>(ToGatherer.of(subtask, link.home(), message)));
  }

  private void order(int subtask, long round, ContributionId... members) throws Exception {
    subtasks
        .get(subtask)
        .processElement2(
            new StreamRecord<>(new GatherOrder(subtask, round, List.of(members), List.of())));
  }

  private List<Part> parts(int subtask) {
    List<Part> parts =
        subtasks.get(subtask).extractOutputValues().stream().map(Part.class::cast).toList();
    subtasks.get(subtask).getOutput().clear();
    return parts;
  }

  private static Contribution contribution(int replica, long sequence, float change) {
    Payload payload = TestPayloads.float32(0, new float[] {change}, 1);
    return new Contribution(0, replica, sequence, 1, payload);
  }

  private static ContributionId id(int replica, long sequence) {
    return new ContributionId(replica, sequence);
  }
}
