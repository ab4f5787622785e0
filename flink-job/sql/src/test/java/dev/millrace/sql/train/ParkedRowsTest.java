package dev.millrace.sql.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Received;
import dev.millrace.kafka.record.ReceivedSerializer;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.source.OtherRecordsException;
import dev.millrace.source.ParkingOperator;
import dev.millrace.source.TaskLink;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A query goes on from a checkpoint in which rows were of the type that it had then. */
@SuppressWarnings("try") // A harness's close() throws what the operator's does.
class ParkedRowsTest {

  private static final LogicalType[] BEFORE = {new IntType(), VarCharType.STRING_TYPE};
  private static final LogicalType[] NOW = {
    new IntType(), VarCharType.STRING_TYPE.copy(false), new DoubleType()
  };

  @AfterEach
  void uninstall() {
    TaskLink.uninstall();
  }

  @Test
  void whereNoneAreParkedRowsMayBeOthers() throws Exception {
    OperatorSubtaskState state = checkpoint();

    try (var harness = open(NOW, state)) {
      harness.processElement(
          new StreamRecord<>(GenericRowData.of(3, StringData.fromString("a"), 0.5)));
      assertThat(harness.snapshot(2, 2).getManagedOperatorState()).isNotEmpty();
    }
  }

  @Test
  void parkedRowsAreTakenAsTheyWereAlone() throws Exception {
    OperatorSubtaskState state = checkpoint(7, 8);

    assertThatThrownBy(() -> open(NOW, state))
        .isInstanceOf(OtherRecordsException.class)
        .hasMessageContaining("Go on with the type that they had");
    try (var harness = open(BEFORE, state)) {
      TaskLink.ofThisTask().gate().setOpen(true);
      harness.getTaskMailbox().take(TaskMailbox.MIN_PRIORITY).run();
      assertThat(harness.extractOutputValues()).hasSize(2);
    }
  }

  /** A checkpoint in which rows of these numbers are parked. */
  private static OperatorSubtaskState checkpoint(int... numbers) throws Exception {
    try (var harness = open(BEFORE, null)) {
      for (int number : numbers) {
        harness.processElement(
            new StreamRecord<>(GenericRowData.of(number, StringData.fromString("a"))));
      }
      return harness.snapshot(1, 1);
    }
  }

  private static OneInputStreamOperatorTestHarness<RowData, Received> open(
      LogicalType[] types, OperatorSubtaskState stateOrNull) throws Exception {
    OneInputStreamOperatorTestHarness<RowData, Received> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ParkingOperator<>(
                (row, into) -> {
                  into.features(new float[] {row.getInt(0)});
                  into.labels(new float[] {1});
                },
                new ExampleShape(1, 1, Target.REGRESSION),
                new RowDataSerializer(types),
                "rows",
                10));
    harness.setup(new ReceivedSerializer());
    TaskLink.install();
    if (stateOrNull != null) {
      harness.setRestoredCheckpointId(1);
      harness.initializeState(stateOrNull);
    }
    harness.open();
    return harness;
  }
}
