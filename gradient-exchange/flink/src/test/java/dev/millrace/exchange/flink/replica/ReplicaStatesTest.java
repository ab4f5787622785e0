package dev.millrace.exchange.flink.replica;

import static dev.millrace.exchange.flink.replica.ReplicaHarness.BATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.Schedule;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.junit.jupiter.api.Test;

/** Which states a replica has in checkpoints. */
class ReplicaStatesTest {

  private static final Schedule ASYNC = Schedule.every(2, false);
  private static final ReplicaSettings PLAIN = ReplicaHarness.settings(ASYNC);
  private static final ReplicaSettings ALL = ReplicaHarness.keepingAll(ASYNC);

  /** Flink completes no checkpoint of a task that has one, once some of its subtasks have ended. */
  @Test
  void noneIsAUnionList() throws Exception {
    OperatorSubtaskState saved = learnAndSave(ALL);

    assertThat(states(saved))
        .containsKeys(ReplicaOperator.REPLAY_STATE, ReplicaOperator.KEPT_STATE)
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
    assertThat(states(withAll).get(ReplicaOperator.REPLAY_STATE).getOffsets()).isNotEmpty();

    OperatorSubtaskState without;
    try (var replica = ReplicaHarness.restore(PLAIN, 0, 1, withAll)) {
      without = replica.snapshot(2);
    }

    assertThat(states(without).get(ReplicaOperator.REPLAY_STATE).getOffsets()).isEmpty();
    assertThat(without.getStateSize()).isLessThan(withAll.getStateSize());
  }

  private static OperatorSubtaskState learnAndSave(ReplicaSettings settings) throws Exception {
    try (var replica = ReplicaHarness.start(settings, 0, 1)) {
      replica.greet();
      replica.know(0, 0);
      replica.examples(0, BATCH);
      return replica.snapshot(1);
    }
  }

  private static Map<String, StateMetaInfo> states(OperatorSubtaskState saved) {
    Map<String, StateMetaInfo> all = new HashMap<>();
    for (OperatorStateHandle handle : saved.getManagedOperatorState()) {
      all.putAll(handle.getStateNameToPartitionOffsets());
    }
    return all;
  }
}
