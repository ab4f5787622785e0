package dev.millrace.chaos;

import dev.millrace.local.cluster.ManagedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Causes faults, and mends what doesn't mend itself. */
final class Faults {

  /** Less than a heartbeat, more than a round. */
  private static final long WITHIN_ROUND_MILLIS = 300;

  private static final int MOST_BURST_GAP_MILLIS = 3_000;

  /** Enough for a TaskManager to start with, and not to train in. */
  private static final Map<String, String> TOO_LITTLE_MEMORY =
      Map.of(
          "taskmanager.memory.framework.heap.size", "40mb",
          "taskmanager.memory.task.heap.size", "1mb");

  private static final long STARVED_MILLIS = 10_000;

  private final FaultTarget stage;

  Faults(FaultTarget stage) {
    this.stage = stage;
  }

  /** Causes a fault, and returns when it is over. */
  void cause(PlannedFault fault) throws IOException, InterruptedException {
    int victim = fault.victim();
    switch (fault.kind()) {
      case KILL_TASKMANAGER -> kill(stage.host(victim));
      case KILL_IN_ROUND -> {
        ManagedProcess host = stage.host(victim);
        host.pause();
        TimeUnit.MILLISECONDS.sleep(WITHIN_ROUND_MILLIS);
        kill(host);
      }
      case KILL_IN_CHECKPOINT -> {
        ManagedProcess host = stage.host(victim);
        stage.beginCheckpoint();
        kill(host);
      }
      case KILL_BURST -> {
        kill(stage.host(victim));
        TimeUnit.MILLISECONDS.sleep(victim % MOST_BURST_GAP_MILLIS);
        kill(stage.host(victim / 2));
      }
      case KILL_JOBMANAGER -> kill(stage.cluster().leader());
      case PAUSE_TASKMANAGER -> pause(stage.host(victim), fault.length());
      case CUT_LINK -> cut(stage.host(victim), fault.length());
      case RESTART_BROKER -> {
        stage.broker().kill();
        hold(fault.length().dividedBy(2));
        stage.broker().restart();
      }
      case CHECKPOINTS_FULL -> {
        long failed = stage.failedCheckpoints();
        stage.checkpoints().fill();
        hold(fault.length());
        stage.awaitFailedCheckpoint(failed);
        stage.checkpoints().empty();
      }
      case CHECKPOINTS_AWAY -> {
        long failed = stage.failedCheckpoints();
        stage.checkpoints().takeAway();
        hold(fault.length());
        stage.awaitFailedCheckpoint(failed);
        stage.checkpoints().bringBack();
      }
      case SAVEPOINT -> stage.savepoint();
      case RESCALE -> stage.submit(stage.replicas() == 1 ? 2 : 1, stage.stop());
      case STARVE_TASKMANAGER -> starve(victim);
    }
  }

  private void kill(ManagedProcess process) throws IOException {
    process.kill();
    stage.repair();
  }

  private void pause(ManagedProcess host, Duration length)
      throws IOException, InterruptedException {
    host.pause();
    hold(length);
    host.resume();
    stage.repair();
  }

  private void cut(ManagedProcess host, Duration length) throws IOException, InterruptedException {
    stage.network().cut(host.name());
    hold(length);
    stage.network().mend(host.name());
    stage.repair();
  }

  /** The job finds no better place at first than one where it can't train. */
  private void starve(int victim) throws IOException, InterruptedException {
    List<ManagedProcess> spares = stage.spares();
    for (ManagedProcess spare : spares) {
      spare.kill();
      stage.cluster().startAnew(spare.name(), TOO_LITTLE_MEMORY);
    }
    stage.host(victim).kill();
    TimeUnit.MILLISECONDS.sleep(STARVED_MILLIS);
    for (ManagedProcess process : stage.cluster().processes()) {
      if (spares.stream().anyMatch(spare -> spare.name().equals(process.name()))) {
        process.kill();
      }
    }
    stage.repair();
  }

  private static void hold(Duration length) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(length.toMillis());
  }
}
