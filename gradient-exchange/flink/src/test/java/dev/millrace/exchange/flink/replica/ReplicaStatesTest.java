package dev.millrace.exchange.flink.replica;

import static dev.millrace.exchange.flink.replica.ReplicaHarness.BATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.schedule.Schedule;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.junit.jupiter.api.Test;

/** Which states a replica has in checkpoints. */
class ReplicaStatesTest {

  private static final String SHARED = ReplicaOperator.HOOK_STATE + "shared";
  private static final String OWN = ReplicaOperator.HOOK_STATE + "own";

  /** Bytes of a hook's string: the length of a piece, its origin, what it has counted, no more. */
  private static final int STRING = Integer.BYTES + 13 + 1 + Integer.BYTES;

  private static final Schedule ASYNC = Schedule.every(2, false);
  private static final ReplicaSettings PLAIN = ReplicaHarness.settings(ASYNC);
  private static final ReplicaSettings ALL = ReplicaHarness.keepingAll(ASYNC);

  /** Flink completes no checkpoint of a task that has one, once some of its subtasks have ended. */
  @Test
  void noneIsAUnionList() throws Exception {
    OperatorSubtaskState saved = learnAndSave(ALL);

    assertThat(states(saved))
        .containsKeys(SHARED, OWN)
        .allSatisfy(
            (name, state) ->
                assertThat(state.getDistributionMode())
                    .isNotEqualTo(OperatorStateHandle.Mode.UNION));
    assertThat(states(learnAndSave(PLAIN)))
        .containsOnlyKeys(ReplicaOperator.REPLICA_STATE, ReplicaOperator.EXAMPLES_STATE);
  }

  @Test
  void whatIsKeptNoMoreLeavesCheckpoints() throws Exception {
    OperatorSubtaskState withAll = learnAndSave(ALL);
    assertThat(states(withAll).get(SHARED).getOffsets()).isNotEmpty();

    OperatorSubtaskState without;
    try (var replica = ReplicaHarness.restore(PLAIN, 0, 1, withAll)) {
      without = replica.snapshot(2);
    }

    assertThat(states(without).get(SHARED).getOffsets()).isEmpty();
    assertThat(without.getStateSize()).isLessThan(withAll.getStateSize());
  }

  @Test
  void hooksContinueFromWhatTheySaved() throws Exception {
    OperatorSubtaskState saved = learnAndSave(ALL);

    OperatorSubtaskState again;
    try (var replica = ReplicaHarness.restore(ALL, 0, 1, saved)) {
      again = replica.snapshot(2);
    }

    for (String state : List.of(SHARED, OWN)) {
      assertThat(strings(again, state)).isEqualTo(strings(saved, state)).isNotEmpty();
    }
  }

  private static OperatorSubtaskState learnAndSave(ReplicaSettings settings) throws Exception {
    try (var replica = ReplicaHarness.start(settings, 0, 1)) {
      replica.greet();
      replica.know(0, 0);
      replica.examples(0, BATCH);
      return replica.snapshot(1);
    }
  }

  /** Returns the bytes of a state, which are the same where its strings are. */
  private static byte[] strings(OperatorSubtaskState saved, String name) throws IOException {
    for (OperatorStateHandle handle : saved.getManagedOperatorState()) {
      StateMetaInfo state = handle.getStateNameToPartitionOffsets().get(name);
      if (state != null) {
        try (FSDataInputStream in = handle.openInputStream()) {
          in.seek(state.getOffsets()[0]);
          return in.readNBytes(STRING);
        }
      }
    }
    throw new AssertionError("No state " + name);
  }

  private static Map<String, StateMetaInfo> states(OperatorSubtaskState saved) {
    Map<String, StateMetaInfo> all = new HashMap<>();
    for (OperatorStateHandle handle : saved.getManagedOperatorState()) {
      all.putAll(handle.getStateNameToPartitionOffsets());
    }
    return all;
  }
}
