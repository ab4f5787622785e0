package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.kafka.sink.KeyedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

/** What Flink adds to a {@link LabelJoin}: state, timers, and what a checkpoint keeps. */
class JoinFunctionTest {

  private static final int MAX_PARALLELISM = 8;

  private final Arrivals arrivals = new Arrivals();

  private static Opened open(
      Negatives negatives, OperatorSubtaskState restored, int parallelism, int index)
      throws Exception {
    JoinSettings settings =
        new JoinSettings(
            new JoinBounds(Duration.ofMillis(100), Duration.ZERO),
            new Labelling("y", negatives == null ? null : "w"),
            negatives,
            Duration.ZERO,
            Duration.ZERO);
    KeyedOneInputStreamOperatorTestHarness<String, JoinRecord, KeyedRecord> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new JoinFunction(settings, FaultInjector.NONE)),
            JoinRecord::key,
            Types.STRING,
            MAX_PARALLELISM,
            parallelism,
            index);
    if (restored != null) {
      harness.initializeState(restored);
    }
    harness.open();
    return new Opened(harness);
  }

  /** Closes without the exceptions that a harness declares. */
  private record Opened(
      KeyedOneInputStreamOperatorTestHarness<String, JoinRecord, KeyedRecord> flink)
      implements AutoCloseable {

    void come(JoinRecord record) throws Exception {
      flink.processElement(record, record.time());
    }

    @Override
    public void close() {
      try {
        flink.close();
      } catch (Exception e) {
        throw new IllegalStateException("The join can't be closed", e);
      }
    }
  }

  private static List<String> values(Opened join) {
    return join.flink.extractOutputValues().stream()
        .map(record -> new String(record.value(), UTF_8))
        .toList();
  }

  private static int aside(Opened join, OutputTag<RejectedRecord> tag) {
    Queue<StreamRecord<RejectedRecord>> records = join.flink.getSideOutput(tag);
    return records == null ? 0 : records.size();
  }

  @Test
  void aPairHasTheFeaturesKeyAndTime() throws Exception {
    try (var join = open(null, null, 1, 0)) {
      join.come(arrivals.label("a", 1050));
      join.come(arrivals.features("a", 1000));

      assertThat(values(join)).containsExactly("{\"k\":\"a\",\"y\":1}");
      assertThat(join.flink.extractOutputValues().get(0).key()).isEqualTo("a".getBytes(UTF_8));
      assertThat(join.flink.extractOutputValues().get(0).timestamp()).isEqualTo(1000);
    }
  }

  @Test
  void featuresWithoutALabelGoOnAtTheBound() throws Exception {
    try (var join = open(new Negatives("0", 0.9343), null, 1, 0)) {
      join.come(arrivals.features("5", 1000));
      join.flink.processWatermark(1099);
      assertThat(values(join)).isEmpty();
      join.flink.processWatermark(1100);

      assertThat(values(join))
          .singleElement()
          .asString()
          .startsWith("{\"k\":\"5\",\"y\":0,\"w\":1.07");
    }
    try (var join = open(new Negatives("0", 0.9342), null, 1, 0)) {
      join.come(arrivals.features("5", 1000));
      join.flink.processWatermark(5000);
      assertThat(values(join)).isEmpty();
    }
  }

  @Test
  void lateAndSecondRecordsGoAside() throws Exception {
    try (var join = open(null, null, 1, 0)) {
      join.come(arrivals.features("a", 1000));
      join.come(arrivals.features("a", 1000));
      join.come(arrivals.label("a", 1101));

      assertThat(aside(join, JoinFunction.DUPLICATES)).isEqualTo(1);
      assertThat(aside(join, JoinFunction.LATE)).isEqualTo(1);
      assertThat(values(join)).isEmpty();
    }
  }

  @Test
  void stateAndTimersGoWithTheBound() throws Exception {
    try (var join = open(null, null, 1, 0)) {
      for (int key = 0; key < 100; key++) {
        join.come(arrivals.features("f" + key, 1000 + key));
        join.come(arrivals.label("l" + key, 1000 + key));
        join.come(arrivals.features("p" + key, 1000 + key));
        join.come(arrivals.label("p" + key, 1000 + key));
      }
      assertThat(join.flink.numKeyedStateEntries()).isEqualTo(300);
      assertThat(join.flink.numEventTimeTimers()).isEqualTo(300);

      join.flink.processWatermark(1099 + 200);

      assertThat(join.flink.numKeyedStateEntries()).isZero();
      assertThat(join.flink.numEventTimeTimers()).isZero();
    }
  }

  @Test
  void whatWaitsFindsItsLabelAfterAFailure() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var join = open(null, null, 1, 0)) {
      join.come(arrivals.features("a", 1000));
      join.come(arrivals.features("b", 1000));
      checkpoint = join.flink.snapshot(1, 1);
    }
    try (var join = open(null, checkpoint, 1, 0)) {
      join.come(arrivals.label("a", 1100));
      join.flink.processWatermark(1100);
      join.come(arrivals.label("b", 1100));

      assertThat(values(join)).containsExactly("{\"k\":\"a\",\"y\":1}");
      assertThat(aside(join, JoinFunction.LATE)).isEqualTo(1);
    }
  }

  /** Sources begin without a watermark then. A pair that is forgotten would be made again. */
  @Test
  void whatWasTooLateBeforeAFailureIsSoAfterIt() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var join = open(null, null, 1, 0)) {
      join.come(arrivals.features("a", 1000));
      join.come(arrivals.label("a", 1050));
      join.flink.processWatermark(2000);
      assertThat(join.flink.numKeyedStateEntries()).isZero();
      checkpoint = join.flink.snapshot(1, 1);
    }
    for (int index = 0; index < 2; index++) {
      OperatorSubtaskState part =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              checkpoint, MAX_PARALLELISM, 1, 2, index);
      try (var join = open(null, part, 2, index)) {
        String key = keyOf(index);
        join.come(arrivals.features(key, 1000));
        join.come(arrivals.label(key, 1050));

        assertThat(values(join)).isEmpty();
        assertThat(aside(join, JoinFunction.LATE)).isEqualTo(2);
      }
    }
  }

  /** A key of a subtask of two. */
  private static String keyOf(int index) {
    for (int i = 0; ; i++) {
      String key = String.valueOf(i);
      if (KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, 2) == index) {
        return key;
      }
    }
  }
}
