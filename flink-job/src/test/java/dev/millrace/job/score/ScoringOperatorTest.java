package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.kafka.sink.KeyedRecord;
import dev.millrace.kafka.sink.KeyedTopic;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.testing.SummingEngine;
import dev.millrace.source.TestGate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator alone, at a time that the test sets. Models predict the feature plus 1000 rounds.
 */
@Timeout(120)
class ScoringOperatorTest {

  private static final ModelSpec SPEC = SummingEngine.spec(1);
  private static final int BATCH = 3;
  private static final Partition PARTITION = new Partition("t", 1);

  @TempDir private Path directory;

  private final Map<String, Metric> metrics = new ConcurrentHashMap<>();
  private QueuedModels models;
  private final AtomicLong nanoTime = new AtomicLong();
  private OneInputStreamOperatorTestHarness<Received, KeyedRecord> harness;

  @BeforeEach
  void open() throws Exception {
    models = new QueuedModels(directory);
    ScoringSettings settings =
        new ScoringSettings(
            SPEC.shape(),
            List.of(),
            new ServingSettings(
                models, Duration.ofMillis(1), BATCH, Duration.ofMillis(5), DeviceRequest.any()));
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new ScoringOperator(settings, FaultInjector.NONE, nanoTime::get),
            new MockEnvironmentBuilder().setMetricGroup(metrics()).build());
    harness.open();
  }

  private TaskMetricGroup metrics() {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer((metric, name, group) -> metrics.put(name, metric))
            .build();
    return TaskManagerMetricGroup.createTaskManagerMetricGroup(
            registry, "host", ResourceID.generate())
        .addJob(new JobID(), "job")
        .addTask(ExecutionAttemptID.randomId(), "task");
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void theSourceIsHeldBackUntilThereIsAModel() throws Exception {
    assertThat(TestGate.isOpen()).isFalse();

    models.publish(1);
    assertThat(TestGate.isOpen()).as("before the mail has come").isFalse();
    runMail();

    assertThat(TestGate.isOpen()).isTrue();
  }

  @Test
  void aFullBatchIsPredictedAtOnceInItsOrder() throws Exception {
    serve(2);

    take(0);
    take(1);
    assertThat(predictions()).isEmpty();
    take(2);

    assertThat(predictions()).containsExactly("0: 2000 of 1.2", "1: 2001 of 1.2", "2: 2002 of 1.2");
    assertThat(count(ScoringOperator.PREDICTIONS)).isEqualTo(3);
  }

  /** A broker would refuse it for ever, and the job fail with it. */
  @Test
  void aPredictionThatNoBrokerTakesIsRejected() throws Exception {
    serve(2);

    Example large = example(0);
    large.setKey(new byte[KeyedTopic.MAX_BYTES]);
    harness.processElement(new StreamRecord<>(large));
    take(1);
    take(2);

    assertThat(predictions()).containsExactly("1: 2001 of 1.2", "2: 2002 of 1.2");
    assertThat(harness.getSideOutput(ScoringOperator.REJECTED))
        .extracting(rejected -> rejected.getValue().reason())
        .singleElement()
        .asString()
        .matches("its prediction has 900\\d+ bytes with its key, and can have 900000");
    assertThat(((Counter) metrics.get("predictions")).getCount()).isEqualTo(2);
    assertThat(((Counter) metrics.get("scoringRejected")).getCount()).isEqualTo(1);
  }

  @Test
  void whatHasWaitedLongEnoughIsPredictedThoughTheBatchIsNotFull() throws Exception {
    serve(1);
    take(0);
    setTime(3);
    take(1);

    setTime(4);
    assertThat(predictions()).isEmpty();
    setTime(5);

    assertThat(predictions()).containsExactly("0: 1000 of 1.1", "1: 1001 of 1.1");
  }

  @Test
  void theTimerOfABatchThatWasFullIsNotTheNextOnes() throws Exception {
    serve(1);
    take(0);
    setTime(2);
    take(1);
    take(2);
    setTime(3);
    take(3);

    setTime(7);
    assertThat(predictions()).hasSize(3);
    setTime(8);

    assertThat(predictions()).hasSize(4);
  }

  @Test
  void whatWaitsIsPredictedBeforeABarrierGoesOn() throws Exception {
    serve(1);
    take(0);

    harness.prepareSnapshotPreBarrier(1);

    assertThat(predictions()).containsExactly("0: 1000 of 1.1");
    setTime(100);
    assertThat(predictions()).as("and not again").hasSize(1);
  }

  @Test
  void whatWaitsIsPredictedWhenTheInputEnds() throws Exception {
    serve(1);
    take(0);

    harness.endInput();

    assertThat(predictions()).containsExactly("0: 1000 of 1.1");
  }

  @Test
  void aNewModelTakesOverWithItsMailAndPredictsWhatWaitsThen() throws Exception {
    serve(1);
    take(0);
    models.publish(2);
    take(1);
    take(2);
    assertThat(predictions()).as("the mail has yet to be read").allMatch(is -> is.endsWith("1.1"));

    take(3);
    runMail();
    take(4);
    take(5);

    assertThat(predictions().subList(3, 6))
        .containsExactly("3: 2003 of 1.2", "4: 2004 of 1.2", "5: 2005 of 1.2");
    assertThat(TestGate.isOpen()).isTrue();
  }

  @Test
  void aModelThatIsRefusedLeavesTheLastOneServing() throws Exception {
    serve(1);

    models.publish(2, Float.NaN);
    runMail();

    take(0);
    harness.endInput();
    assertThat(predictions()).containsExactly("0: 1000 of 1.1");
  }

  @Test
  void anEngineThatCannotWorkFailsTheJobPermanently() throws Exception {
    models.fail(new UnusableEngineException("no native library", null));

    assertThatThrownBy(this::runMail)
        .isInstanceOf(NonRecoverableException.class)
        .hasRootCauseMessage("no native library");
  }

  @Test
  void anExampleThatTheModelCannotComputeWithIsRejectedAndTheOthersPredicted() throws Exception {
    serve(1);
    take(6);
    Example unusable = example(7);
    unusable.features()[0] = Float.NEGATIVE_INFINITY;
    harness.processElement(new StreamRecord<>(unusable));
    take(8);

    assertThat(predictions()).containsExactly("6: 1006 of 1.1", "8: 1008 of 1.1");
    assertThat(harness.getSideOutput(ScoringOperator.REJECTED))
        .extracting(StreamRecord::getValue)
        .singleElement()
        .satisfies(
            rejected -> {
              assertThat(rejected.partition()).isEqualTo(PARTITION);
              assertThat(rejected.offset()).isEqualTo(7);
              assertThat(rejected.reason()).startsWith("the network can't compute with it: ");
            });
    assertThat(count(ScoringOperator.PREDICTIONS)).isEqualTo(2);
    assertThat(count(ScoringOperator.REJECTED_RECORDS)).isEqualTo(1);
  }

  @Test
  void rejectedRecordsGoToTheSideOutputAndWaitForNothing() throws Exception {
    RejectedRecord rejected = new RejectedRecord(PARTITION, 5, 0, null, null, "no number");

    harness.processElement(new StreamRecord<>(rejected));

    assertThat(harness.getSideOutput(ScoringOperator.REJECTED))
        .containsExactly(new StreamRecord<>(rejected));
    assertThat(predictions()).isEmpty();
    assertThat(count(ScoringOperator.REJECTED_RECORDS)).isEqualTo(1);
  }

  @Test
  void closingEndsTheWatchAndTakesTheGateAway() throws Exception {
    serve(1);

    harness.getOneInputOperator().close();

    assertThat(models.isClosed()).isTrue();
    assertThatThrownBy(TestGate::isOpen).isInstanceOf(IllegalStateException.class);
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
    harness.processElement(new StreamRecord<>(example(number)));
  }

  private static Example example(int number) {
    Example example = new Example(SPEC.shape());
    example.features()[0] = number;
    example.setOrigin(PARTITION, number);
    return example;
  }

  /** Milliseconds, for the timers and for the clock. */
  private void setTime(long millis) throws Exception {
    nanoTime.set(TimeUnit.MILLISECONDS.toNanos(millis));
    harness.setProcessingTime(millis);
  }

  /** What is out: each record's offset, and what which model says of it. */
  private List<String> predictions() throws IOException {
    List<String> predictions = new ArrayList<>();
    for (KeyedRecord record : harness.extractOutputValues()) {
      JsonNode json = new JsonMapper().readTree(record.value());
      predictions.add(
          "%s: %s of %s"
              .formatted(
                  json.get("offset").asLong(),
                  json.get("values").get(0).asLong(),
                  json.get("version").asText()));
    }
    return predictions;
  }

  private long count(String accumulator) {
    return harness
        .getOperator()
        .getRuntimeContext()
        .getLongCounter(accumulator)
        .getLocalValuePrimitive();
  }
}
