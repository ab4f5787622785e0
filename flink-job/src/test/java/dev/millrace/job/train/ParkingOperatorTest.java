package dev.millrace.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.ReceivedSerializer;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import dev.millrace.source.ParkingOperator;
import dev.millrace.source.SourceGate;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator alone, with a gate of the test's. A number below 0 is no example. */
@SuppressWarnings("try") // A harness's close() throws what the operator's does.
@Timeout(30)
class ParkingOperatorTest {

  private static final int MOST_PARKED = 3;
  private static final int GROUPS = 8;

  private SourceGate gate;

  @AfterEach
  void uninstall() {
    SourceGate.uninstall();
  }

  @Test
  void recordsComeInOrderWhenTheGateOpens() throws Exception {
    try (var harness = open(1, 0, null)) {
      take(harness, 7, 8);
      harness.processWatermark(new Watermark(10));
      assertThat(harness.getOutput()).isEmpty();

      gate.setOpen(true);
      take(harness, -1);
      runMails(harness);
      take(harness, 9);

      assertThat(told(harness))
          .containsExactly("7 at 0-0", "8 at 0-1", "rejected at 0-2", "9 at 0-3");
    }
  }

  @Test
  void aGateThatShutsAgainLeavesTheRestParked() throws Exception {
    try (var harness = open(1, 0, null)) {
      take(harness, 1, 2);
      gate.setOpen(true);
      gate.setOpen(false);
      runMails(harness);
      assertThat(harness.getOutput()).isEmpty();

      gate.setOpen(true);
      runMails(harness);

      assertThat(told(harness)).containsExactly("1 at 0-0", "2 at 0-1");
    }
  }

  @Test
  void aboveTheBoundARecordWaitsForTheMailThatOpensTheGate() throws Exception {
    try (var harness = open(1, 0, null)) {
      take(harness, 0, 1, 2);
      soon(harness, () -> gate.setOpen(true));

      take(harness, 3);

      assertThat(told(harness)).hasSizeGreaterThan(0).startsWith("0 at 0-0");
      harness.endInput();
      assertThat(told(harness)).containsExactly("0 at 0-0", "1 at 0-1", "2 at 0-2", "3 at 0-3");
    }
  }

  @Test
  void whatIsParkedAndItsNumbersAreState() throws Exception {
    OperatorSubtaskState state;
    try (var harness = open(1, 0, null)) {
      gate.setOpen(true);
      take(harness, 1);
      gate.setOpen(false);
      take(harness, 2, 3);
      state = harness.snapshot(1, 1);
    }
    try (var harness = open(1, 0, state)) {
      soon(harness, () -> gate.setOpen(true));
      harness.endInput();

      assertThat(told(harness)).containsExactly("2 at 0-1", "3 at 0-2");
    }
  }

  /** From two subtasks to one and back to two: the second goes on with its own numbers. */
  @Test
  void noNumberIsGivenTwiceAtOtherParallelisms() throws Exception {
    OperatorSubtaskState both;
    try (var first = open(2, 0, null)) {
      gate.setOpen(true);
      take(first, 1, 2);
      OperatorSubtaskState ofFirst = first.snapshot(1, 1);
      try (var second = open(2, 1, null)) {
        gate.setOpen(true);
        take(second, 11, 12, 13);
        both = AbstractStreamOperatorTestHarness.repackageState(ofFirst, second.snapshot(1, 1));
      }
    }
    OperatorSubtaskState one;
    try (var only = open(1, 0, repartitioned(both, 2, 1, 0))) {
      gate.setOpen(true);
      take(only, 3);
      assertThat(told(only)).containsExactly("3 at 0-2");
      one = only.snapshot(2, 2);
    }
    try (var second = open(2, 1, repartitioned(one, 1, 2, 1))) {
      gate.setOpen(true);
      take(second, 14);

      assertThat(told(second)).containsExactly("14 at 1-3");
    }
  }

  private static OperatorSubtaskState repartitioned(
      OperatorSubtaskState state, int before, int after, int subtask) {
    return AbstractStreamOperatorTestHarness.repartitionOperatorState(
        state, GROUPS, before, after, subtask);
  }

  private OneInputStreamOperatorTestHarness<Integer, Received> open(
      int subtasks, int subtask, OperatorSubtaskState stateOrNull) throws Exception {
    OneInputStreamOperatorTestHarness<Integer, Received> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ParkingOperator<>(
                (number, into) -> {
                  if (number < 0) {
                    throw new IllegalStateException("below 0");
                  }
                  into.features(new float[] {number});
                  into.labels(new float[] {1});
                },
                new ExampleShape(1, 1, Target.REGRESSION),
                IntSerializer.INSTANCE,
                "stream",
                MOST_PARKED),
            GROUPS,
            subtasks,
            subtask);
    harness.setup(new ReceivedSerializer());
    gate = SourceGate.install();
    if (stateOrNull != null) {
      harness.initializeState(stateOrNull);
    }
    harness.open();
    return harness;
  }

  private static void take(
      OneInputStreamOperatorTestHarness<Integer, Received> harness, int... numbers)
      throws Exception {
    for (int number : numbers) {
      harness.processElement(new StreamRecord<>(number));
    }
  }

  private static void soon(
      OneInputStreamOperatorTestHarness<Integer, Received> harness, Runnable what) {
    new MailboxExecutorImpl(harness.getTaskMailbox(), 0, StreamTaskActionExecutor.IMMEDIATE)
        .execute(what::run, "soon");
  }

  private static void runMails(OneInputStreamOperatorTestHarness<Integer, Received> harness)
      throws Exception {
    for (var mail = harness.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
        mail.isPresent();
        mail = harness.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY)) {
      mail.get().run();
    }
  }

  private static List<String> told(OneInputStreamOperatorTestHarness<Integer, Received> harness) {
    return harness.extractOutputValues().stream()
        .map(
            received ->
                received instanceof Example example
                    ? place((int) example.features()[0] + "", example.partition(), example.offset())
                    : received instanceof RejectedRecord rejected
                        ? place("rejected", rejected.partition(), rejected.offset())
                        : received.toString())
        .toList();
  }

  private static String place(String what, Partition partition, long offset) {
    return "%s at %d-%d".formatted(what, partition.number(), offset);
  }
}
