package dev.millrace.chaos;

/** What can go wrong on purpose. */
public enum FaultKind {
  /** A TaskManager is killed at any moment: mostly within a local step. */
  KILL_TASKMANAGER("TaskManager killed", Effect.RESTART),
  /** A TaskManager is killed while the other replica waits for it. */
  KILL_IN_ROUND("TaskManager killed within a round", Effect.RESTART),
  /** Right after a checkpoint was begun. */
  KILL_IN_CHECKPOINT("TaskManager killed within a checkpoint", Effect.RESTART),
  /** The next one while the job still recovers. */
  KILL_BURST("TaskManagers killed one after another", Effect.RESTART),
  KILL_JOBMANAGER("JobManager killed", Effect.RESTART),
  /** Shorter or longer than Flink waits for it. */
  PAUSE_TASKMANAGER("TaskManager paused", Effect.UNKNOWN),
  CUT_LINK("link down", Effect.UNKNOWN),
  RESTART_BROKER("broker killed and started again", Effect.UNKNOWN),
  CHECKPOINTS_FULL("checkpoint directory full", Effect.NO_CHECKPOINT),
  CHECKPOINTS_AWAY("checkpoint directory away", Effect.NO_CHECKPOINT),
  SAVEPOINT("savepoint under load", Effect.UNKNOWN),
  RESCALE("stopped, and resumed with other parallelism", Effect.NEW_START),
  STARVE_TASKMANAGER("TaskManager with too little memory", Effect.NEW_START);

  /** What it does to the job. */
  enum Effect {
    /** It must start again after the fault's end. */
    RESTART,
    /** It must start again, and may do so before the fault's end. */
    NEW_START,
    /** It may go on, and makes no checkpoint meanwhile. */
    NO_CHECKPOINT,
    /** It may start again or go on. */
    UNKNOWN
  }

  private final String title;
  private final Effect effect;

  FaultKind(String title, Effect effect) {
    this.title = title;
    this.effect = effect;
  }

  /** Returns the kind's name as tables have it. */
  public String title() {
    return title;
  }

  Effect effect() {
    return effect;
  }
}
