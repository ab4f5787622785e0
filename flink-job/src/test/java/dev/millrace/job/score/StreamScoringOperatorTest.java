package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator alone. Models predict the number plus 1000 rounds; a number below 0 is none. */
@Timeout(120)
class StreamScoringOperatorTest {

  private static final int MOST_WAITING = 3;

  /** No model can compute with it. */
  private static final int UNUSABLE = 99;

  @TempDir private Path directory;

  private QueuedModels models;
  private OneInputStreamOperatorTestHarness<Integer, String> harness;

  @BeforeEach
  void open() throws Exception {
    models = new QueuedModels(directory);
    harness = harness(4);
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private OneInputStreamOperatorTestHarness<Integer, String> harness(int batch) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new StreamScoringOperator<>(
            new ServingSettings(
                models, Duration.ofMillis(1), batch, Duration.ofHours(1), DeviceRequest.any()),
            MOST_WAITING,
            (number, into) -> {
              if (number < 0) {
                throw new IllegalStateException("below 0");
              }
              into.features(new float[] {number});
              if (number == UNUSABLE) {
                // As a mapper may, whatever it gives is copied.
                into.whole(example -> example.features()[0] = Float.NEGATIVE_INFINITY);
              }
            },
            IntSerializer.INSTANCE,
            (number, outputs, version) ->
                "%s: %s of %s".formatted(number, (int) outputs[0], version)));
  }

  @Test
  void recordsWaitInStateUntilThereIsAModel() throws Exception {
    take(7);
    take(8);
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness(4);
    harness.initializeState(state);
    harness.open();
    assertThat(harness.extractOutputValues()).isEmpty();

    serve(2);
    harness.endInput();

    assertThat(harness.extractOutputValues()).containsExactly("7: 2007 of 1.2", "8: 2008 of 1.2");
  }

  @Test
  void aboveTheBoundARecordWaitsForTheMailThatBringsTheModel() throws Exception {
    for (int number = 0; number < MOST_WAITING; number++) {
      take(number);
    }
    models.publish(1);

    take(3);

    assertThat(harness.extractOutputValues())
        .containsExactly("0: 1000 of 1.1", "1: 1001 of 1.1", "2: 1002 of 1.1", "3: 1003 of 1.1");
  }

  /** Training that makes the model may wait for the records behind this one. */
  @Test
  void aboveTheBoundARecordWaitsForSomeTimeAlone() throws Exception {
    for (int number = 0; number < MOST_WAITING; number++) {
      take(number);
    }
    new MailboxExecutorImpl(harness.getTaskMailbox(), 0, StreamTaskActionExecutor.IMMEDIATE)
        .execute(() -> harness.setProcessingTime(1_000), "time passes");

    take(3);

    assertThat(harness.extractOutputValues()).isEmpty();
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness(4);
    harness.initializeState(state);
    harness.open();
    serve(1);
    assertThat(harness.extractOutputValues())
        .containsExactly("0: 1000 of 1.1", "1: 1001 of 1.1", "2: 1002 of 1.1", "3: 1003 of 1.1");
  }

  @Test
  void aBoundedStreamEndsWhenItsRecordsHaveHadAModel() throws Exception {
    take(0);
    models.publish(1);

    harness.endInput();

    assertThat(harness.extractOutputValues()).containsExactly("0: 1000 of 1.1");
  }

  @Test
  void whatWaitsIsPredictedBeforeABarrierGoesOn() throws Exception {
    serve(1);
    take(0);
    assertThat(harness.extractOutputValues()).isEmpty();

    harness.prepareSnapshotPreBarrier(1);

    assertThat(harness.extractOutputValues()).containsExactly("0: 1000 of 1.1");
  }

  /** Flink's mails go on until it is complete; what they do belongs to the next job. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void behindTheSavepointThatStopsTheJobNothingComesOut(boolean stops) throws Exception {
    SavepointFormatType format = SavepointFormatType.NATIVE;
    take(7);
    harness.processWatermark(new Watermark(10));
    harness.snapshotWithLocalState(
        1, 1, stops ? SavepointType.suspend(format) : SavepointType.savepoint(format));

    serve(1);

    assertThat(harness.getOutput()).hasSize(stops ? 0 : 2);
  }

  @Test
  void noWatermarkOvertakesARecord() throws Exception {
    take(5);
    harness.processWatermark(new Watermark(10));
    assertThat(harness.getOutput()).isEmpty();
    serve(1);

    take(11);
    harness.processWatermark(new Watermark(20));

    assertThat(harness.getOutput())
        .containsExactly(
            new StreamRecord<>("5: 1005 of 1.1", 5),
            new Watermark(10),
            new StreamRecord<>("11: 1011 of 1.1", 11),
            new Watermark(20));
  }

  @Test
  void aNewModelTakesOver() throws Exception {
    serve(1);
    serve(2);

    take(0);
    harness.endInput();

    assertThat(harness.extractOutputValues()).containsExactly("0: 2000 of 1.2");
  }

  @Test
  void aRecordThatIsNoExampleIsRejectedAndKeepsItsBytes() throws Exception {
    serve(1);

    take(-1);
    take(1);
    harness.endInput();

    assertThat(harness.extractOutputValues()).containsExactly("1: 1001 of 1.1");
    assertThat(harness.getSideOutput(ScoringOperator.REJECTED))
        .extracting(StreamRecord::getValue)
        .singleElement()
        .satisfies(
            rejected -> {
              assertThat(rejected.reason())
                  .isEqualTo("not mapped: java.lang.IllegalStateException: below 0");
              assertThat(rejected.value()).containsExactly(-1, -1, -1, -1);
            });
  }

  @Test
  void aRecordThatTheModelCannotComputeWithIsRejectedAndKeepsItsBytes() throws Exception {
    serve(1);

    take(1);
    take(UNUSABLE);
    take(2);
    harness.endInput();

    assertThat(harness.extractOutputValues()).containsExactly("1: 1001 of 1.1", "2: 1002 of 1.1");
    assertThat(harness.getSideOutput(ScoringOperator.REJECTED))
        .extracting(StreamRecord::getValue)
        .singleElement()
        .satisfies(
            rejected -> {
              assertThat(rejected.reason()).startsWith("the network can't compute with it: ");
              assertThat(rejected.offset()).isEqualTo(1);
              assertThat(rejected.timestamp()).isEqualTo(UNUSABLE);
              assertThat(rejected.value()).containsExactly(0, 0, 0, UNUSABLE);
            });
  }

  @Test
  void aModelThatCannotBeReadLeavesRecordsWaiting() throws Exception {
    take(0);

    models.publish(1, Float.NaN);
    runMail();

    assertThat(harness.extractOutputValues()).isEmpty();
    serve(2);
    harness.endInput();
    assertThat(harness.extractOutputValues()).isEqualTo(List.of("0: 2000 of 1.2"));
  }

  @Test
  void anEngineThatCannotWorkFailsTheJobPermanently() throws Exception {
    models.fail(new UnusableEngineException("no native library", null));

    assertThatThrownBy(this::runMail).isInstanceOf(NonRecoverableException.class);
  }

  private void serve(long round) throws Exception {
    models.publish(round);
    runMail();
  }

  /** Waits for what the watch sends, and does it. */
  private void runMail() throws Exception {
    harness.getTaskMailbox().take(TaskMailbox.MIN_PRIORITY).run();
  }

  private void take(int number) throws Exception {
    harness.processElement(new StreamRecord<>(number, Math.max(0, number)));
  }
}
