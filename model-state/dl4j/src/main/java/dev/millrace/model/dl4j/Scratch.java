package dev.millrace.model.dl4j;

import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.AllocationPolicy;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.memory.enums.ResetPolicy;
import org.nd4j.linalg.api.memory.enums.SpillPolicy;
import org.nd4j.linalg.factory.Nd4j;

/** The thread's workspace for predictions, which live only until they are copied out. */
final class Scratch {

  private static final String NAME = "MILLRACE_PREDICTIONS";

  /** The workspace's configuration, as DL4J sets up the workspaces of its layers. */
  private static final WorkspaceConfiguration CONFIGURATION =
      WorkspaceConfiguration.builder()
          .initialSize(0)
          .overallocationLimit(0.05)
          .policyLearning(LearningPolicy.FIRST_LOOP)
          .policyReset(ResetPolicy.BLOCK_LEFT)
          .policySpill(SpillPolicy.REALLOCATE)
          .policyAllocation(AllocationPolicy.OVERALLOCATE)
          .build();

  private Scratch() {}

  /** Opens a scope: what is allocated before it is closed, on this thread, is gone afterwards. */
  static MemoryWorkspace open() {
    return Nd4j.getWorkspaceManager().getAndActivateWorkspace(CONFIGURATION, NAME);
  }
}
