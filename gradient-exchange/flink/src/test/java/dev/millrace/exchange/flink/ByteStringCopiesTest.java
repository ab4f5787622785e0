package dev.millrace.exchange.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteStringCopiesTest {

  private static final int KEY_GROUPS = 8;

  /** Each saves its number, and that of whoever it was restored from. */
  @ParameterizedTest
  @CsvSource({"2, 2", "2, 1", "1, 3", "2, 5", "3, 2"})
  void eachHasItsOwnAgainAndANewOneThatOfAnother(int before, int after) throws Exception {
    OperatorSubtaskState[] saved = new OperatorSubtaskState[before];
    for (int index = 0; index < before; index++) {
      saved[index] = run(new Numbering(), index, before, null);
    }
    OperatorSubtaskState all = AbstractStreamOperatorTestHarness.repackageState(saved);

    for (int index = 0; index < after; index++) {
      Numbering operator = new Numbering();
      run(
          operator,
          index,
          after,
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              all, KEY_GROUPS, before, after, index));

      assertThat(operator.found).isEqualTo(index % before);
    }
  }

  private static OperatorSubtaskState run(
      Numbering operator, int index, int subtasks, OperatorSubtaskState restored) throws Exception {
    var harness = new OneInputStreamOperatorTestHarness<>(operator, KEY_GROUPS, subtasks, index);
    try {
      harness.setup(IntSerializer.INSTANCE);
      if (restored != null) {
        harness.initializeState(restored);
      }
      harness.open();
      return harness.snapshot(1, 0);
    } finally {
      harness.close();
    }
  }

  private static final class Numbering extends AbstractStreamOperator<Integer>
      implements OneInputStreamOperator<Integer, Integer> {

    private transient ByteStringCopies copies;
    private transient int index;
    private transient Integer found;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
      super.initializeState(context);
      index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      copies = ByteStringCopies.open(context, "number");
      Optional<DataInputStream> saved = copies.read(index);
      found = saved.isPresent() ? saved.get().readInt() : null;
    }

    @Override
    public void processElement(StreamRecord<Integer> element) {}

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
      super.snapshotState(context);
      copies.defer(index, out -> out.writeInt(index));
    }
  }
}
