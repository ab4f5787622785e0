package dev.millrace.simulate.check;

import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.job.ModelState;
import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Task;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Looks at rounds when they are decided: who is there, and that the job goes on. */
public final class Rounds {

  private static final String GREETED = "8 no round before every replica has said hello";
  private static final String STOPPED =
      "51 behind the savepoint that stops the job no round is made";

  private final Checks checks;

  /** Tasks that have saved what the job stops with. */
  private final Set<Task> stopped = new HashSet<>();

  /** Replicas that have said hello, or farewell, since the job has begun. */
  private final BitSet heardOf = new BitSet();

  /** The restored coordinator, which knows who has ended; null without one. */
  private Coordinator restored;

  private int replicas;

  Rounds(Checks checks) {
    this.checks = checks;
  }

  /** The job begins, or begins again. */
  public void begins(Completed fromOrNull, JobOptions options) {
    stopped.clear();
    heardOf.clear();
    replicas = options.replicas();
    restored = fromOrNull == null ? null : ModelState.of(fromOrNull).coordinator();
  }

  /** The barrier of a checkpoint passes a task. */
  public void passes(Task task, Barrier barrier) {
    if (barrier.kind().stops()) {
      stopped.add(task);
    }
  }

  /** A task takes a message. */
  public void takes(Object message) {
    if (message instanceof Hello hello) {
      heardOf.set(hello.replica());
      if (restored != null) {
        restored.hello(hello);
      }
    } else if (message instanceof Farewell farewell) {
      heardOf.set(farewell.replica());
      if (restored != null) {
        restored.farewell(farewell);
      }
    }
  }

  /** A message leaves a task. */
  public void sends(Task task, Object message) {
    if (message instanceof Announcement || message instanceof Decision) {
      checks.require(
          STOPPED, !stopped.contains(task), () -> "%s sends %s".formatted(task, message));
    }
    if (message instanceof Decision decision) {
      decides(decision);
    }
  }

  private void decides(Decision decision) {
    checks.require(
        GREETED,
        restored == null ? heardOf.cardinality() == replicas : !restored.awaitsReplicas(),
        () ->
            "round %s is made, and of %s replicas there are %s"
                .formatted(decision.round(), replicas, heardOf));
  }
}
