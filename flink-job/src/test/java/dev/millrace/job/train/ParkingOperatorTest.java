package dev.millrace.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.record.ReceivedSerializer;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.source.ParkingOperator;
import dev.millrace.source.SourceGate;
import dev.millrace.source.TaskLink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.function.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator alone, with a gate of the test's. A number below 0 is no example. */
@SuppressWarnings("try") // A harness's close() throws what the operator's does.
@Timeout(120)
class ParkingOperatorTest {

  private static final int MOST_PARKED = 3;
  private static final int GROUPS = 8;

  private SourceGate gate;

  @AfterEach
  void uninstall() {
    TaskLink.uninstall();
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

  /** The gate may wait for another replica, which waits for the barrier behind the record. */
  @Test
  void aboveTheBoundARecordWaitsForSomeTimeAlone() throws Exception {
    try (var harness = open(1, 0, null)) {
      take(harness, 0, 1, 2);
      soon(harness, () -> harness.setProcessingTime(1_000));

      take(harness, 3);

      assertThat(harness.getOutput()).isEmpty();
      gate.setOpen(true);
      runMails(harness);
      assertThat(told(harness)).hasSize(4);
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

  /** Flink completes no checkpoint of a task that has one, once some of its subtasks have ended. */
  @Test
  void noStateIsAUnionList() throws Exception {
    try (var harness = open(1, 0, null)) {
      take(harness, 1);

      assertThat(
              harness.snapshot(1, 1).getManagedOperatorState().stream()
                  .flatMap(handle -> handle.getStateNameToPartitionOffsets().values().stream()))
          .hasSize(2)
          .extracting(OperatorStateHandle.StateMetaInfo::getDistributionMode)
          .containsOnly(OperatorStateHandle.Mode.SPLIT_DISTRIBUTE);
    }
  }

  /** A subtask that has ended leaves no state, and its number may be another's after a restart. */
  @Test
  void whereASubtaskHasEndedItsNumbersAreNotGivenAgain() throws Exception {
    try (var harness = open(2, 0, OperatorSubtaskState.builder().build(), 5)) {
      gate.setOpen(true);
      take(harness, 1, 2);

      assertThat(told(harness)).containsExactly("1 at @5 0-0", "2 at @5 0-1");
    }
  }

  /** Whatever checkpoints, failures and parallelisms follow each other, and whoever ends. */
  @Test
  void noPlaceIsGivenTwice() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int run = 0; run < 20; run++) {
      Set<String> committed = new HashSet<>();
      OperatorSubtaskState saved = null;
      int before = 0;
      int savedAs = 0;
      for (int checkpoint = 1; checkpoint <= 8; checkpoint++) {
        int subtasks = 1 + random.nextInt(4);
        Set<String> attempt = new HashSet<>();
        List<OperatorSubtaskState> states = new ArrayList<>();
        for (int subtask = 0; subtask < subtasks; subtask++) {
          OperatorSubtaskState dealt =
              saved == null ? null : repartitioned(saved, before, subtasks, subtask);
          try (var harness = open(subtasks, subtask, dealt, savedAs)) {
            gate.setOpen(true);
            take(harness, 1, 2, 3);
            for (String place : told(harness)) {
              assertThat(attempt.add(place.substring(place.indexOf(" at ")))).isTrue();
            }
            // Whoever ends leaves no state.
            if (subtask == 0 || random.nextInt(3) > 0) {
              states.add(harness.snapshot(checkpoint, checkpoint));
            }
          }
        }
        if (random.nextInt(4) > 0) {
          assertThat(committed).as("seed %s", seed).doesNotContainAnyElementsOf(attempt);
          committed.addAll(attempt);
          before = states.size();
          savedAs = checkpoint;
          saved =
              AbstractStreamOperatorTestHarness.repackageState(
                  states.toArray(OperatorSubtaskState[]::new));
        }
      }
    }
  }

  @Test
  void asManySubtasksGoOnInTheirOwnPartitions() throws Exception {
    OperatorSubtaskState second;
    try (var harness = open(2, 1, null)) {
      gate.setOpen(true);
      take(harness, 1, 2);
      second = harness.snapshot(1, 1);
    }
    try (var harness = open(2, 1, second)) {
      gate.setOpen(true);
      take(harness, 3);

      assertThat(told(harness)).containsExactly("3 at 1-2");
    }
  }

  /** Flink's mails go on until it is complete; what they do belongs to the next job. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void behindTheSavepointThatStopsTheJobNothingComesOut(boolean stops) throws Exception {
    SavepointFormatType format = SavepointFormatType.NATIVE;
    try (var harness = open(1, 0, null)) {
      take(harness, 1, 2);
      harness.snapshotWithLocalState(
          1, 1, stops ? SavepointType.suspend(format) : SavepointType.savepoint(format));

      gate.setOpen(true);
      runMails(harness);

      assertThat(told(harness)).hasSize(stops ? 0 : 2);
    }
  }

  private static OperatorSubtaskState repartitioned(
      OperatorSubtaskState state, int before, int after, int subtask) {
    return AbstractStreamOperatorTestHarness.repartitionOperatorState(
        state, GROUPS, before, after, subtask);
  }

  private OneInputStreamOperatorTestHarness<Integer, Received> open(
      int subtasks, int subtask, OperatorSubtaskState stateOrNull) throws Exception {
    return open(subtasks, subtask, stateOrNull, 1);
  }

  private OneInputStreamOperatorTestHarness<Integer, Received> open(
      int subtasks, int subtask, OperatorSubtaskState stateOrNull, long checkpoint)
      throws Exception {
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
    gate = TaskLink.install().gate();
    if (stateOrNull != null) {
      harness.setRestoredCheckpointId(checkpoint);
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
      OneInputStreamOperatorTestHarness<Integer, Received> harness,
      ThrowingRunnable<Exception> what) {
    new MailboxExecutorImpl(harness.getTaskMailbox(), 0, StreamTaskActionExecutor.IMMEDIATE)
        .execute(what, "soon");
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
    return "%s at %s%s-%s"
        .formatted(
            what,
            partition.topic().equals("stream")
                ? ""
                : partition.topic().substring("stream".length()) + " ",
            partition.number(),
            offset);
  }
}
