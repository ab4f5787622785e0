package dev.millrace.simulate.check;

import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.simulate.job.Completed;
import dev.millrace.simulate.job.JobOptions;
import dev.millrace.simulate.job.ModelState;
import dev.millrace.simulate.task.Barrier;
import dev.millrace.simulate.task.Task;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks at rounds when they are decided: who is there, whether they have waited for the others, and
 * that the job goes on. A second coordinator hears what the job's does.
 */
public final class Rounds {

  private static final String GREETED = "8 no round before every replica has said hello";
  private static final String WAITED = "6 a round waits for every active replica";
  private static final String STOPPED =
      "51 behind the savepoint that stops the job no round is made";

  private static final String LEFT = "a replica says nothing behind its farewell";

  private static final long MILLI = 1_000;

  private final Checks checks;

  /** Tasks that have saved what the job stops with. */
  private final Set<Task> stopped = new HashSet<>();

  /** Replicas that have said farewell. */
  private final Set<Task> left = new HashSet<>();

  private Coordinator second;
  private Waits waits;

  Rounds(Checks checks) {
    this.checks = checks;
  }

  /** The job begins, or begins again. */
  void begins(Completed fromOrNull, JobOptions options) {
    stopped.clear();
    left.clear();
    second =
        fromOrNull == null
            ? new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, Long.MAX_VALUE, 1))
            : ModelState.of(fromOrNull).coordinator();
    waits = new Waits(options);
  }

  /** The barrier of a checkpoint passes a task. */
  public void passes(Task task, Barrier barrier) {
    if (barrier.kind().stops()) {
      stopped.add(task);
    }
  }

  /** A task takes a message. */
  public void takes(Task task, Object message) {
    if (message instanceof CoordinatorMessage heard) {
      waits.hears(heard);
      hear(heard);
      waits.open(second.isOpen(), task.micros() / MILLI);
    }
  }

  private void hear(CoordinatorMessage message) {
    if (message instanceof Hello hello) {
      second.hello(hello);
    } else if (message instanceof Announcement announcement) {
      second.announce(announcement);
    } else if (message instanceof Refusal refusal) {
      second.refuse(refusal);
    } else if (message instanceof Idle) {
      second.idle(message.replica());
    } else if (message instanceof Farewell farewell) {
      second.farewell(farewell);
    }
  }

  /** A message leaves a task. */
  public void sends(Task task, Object message) {
    if (message instanceof CoordinatorMessage said) {
      checks.require(LEFT, !left.contains(task), () -> "%s says %s".formatted(task, said));
      if (said instanceof Farewell) {
        left.add(task);
      }
    }
    if (message instanceof Announcement || message instanceof Decision) {
      checks.require(
          STOPPED, !stopped.contains(task), () -> "%s sends %s".formatted(task, message));
    }
    // Each block is told of a round.
    if (message instanceof Decision decision && decision.round() > second.version().round()) {
      decides(decision.round(), task.micros() / MILLI);
    }
  }

  private void decides(long round, long millis) {
    checks.require(
        GREETED,
        !second.awaitsReplicas(),
        () -> "round %s is made, and not all replicas are there".formatted(round));
    if (!second.ready()) {
      checks.require(
          WAITED,
          waits.mayBeOver(millis),
          () -> "round %s is made without some that train: %s".formatted(round, waits));
      second.expire();
    }
    second.close(WholeRound.OF_THOSE_THAT_TRAIN);
    waits.closed(second.isOpen(), millis);
  }
}
