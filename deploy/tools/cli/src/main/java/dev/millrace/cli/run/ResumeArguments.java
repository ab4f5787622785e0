package dev.millrace.cli.run;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What state a job goes on from. */
public final class ResumeArguments {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description =
          "State to resume from: a savepoint that an earlier run printed, or a checkpoint of a run"
              + " that was killed.")
  private String savepoint;

  @Option(
      names = "--allowNonRestoredState",
      description =
          "Leaves state behind of parts that the job of --from had and this one hasn't, such as"
              + " scoring.")
  private boolean leavesBehind;

  /** Whether there is any. */
  public boolean areGiven() {
    return savepoint != null;
  }

  /**
   * Has a cluster's jobs begin with it.
   *
   * @throws CommandLine.ParameterException if there is none, and something is said of it
   */
  public void applyTo(Configuration cluster) {
    if (leavesBehind && savepoint == null) {
      throw new CommandLine.ParameterException(
          command.commandLine(),
          "--allowNonRestoredState has no effect without --from, whose state it is about");
    }
    if (savepoint != null) {
      cluster.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    if (leavesBehind) {
      cluster.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    }
  }
}
