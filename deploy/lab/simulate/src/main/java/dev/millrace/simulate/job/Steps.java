package dev.millrace.simulate.job;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Chance;
import java.util.EnumMap;
import java.util.Map;

/** Gives what tasks do its time, and fails at a place where that was asked for. */
public final class Steps {

  private final Chance chance;
  private final Times times;
  private final boolean handsOver;
  private final Map<FaultInjector.Place, Long> armed = new EnumMap<>(FaultInjector.Place.class);

  /**
   * @param times of local steps
   * @param handsOver whether models are handed over in memory
   */
  Steps(Chance chance, Times times, boolean handsOver) {
    this.chance = chance;
    this.times = times;
    this.handsOver = handsOver;
  }

  /** A task fails when it comes to a place for the n-th time from now on. */
  public void throwAt(FaultInjector.Place place, long times) {
    armed.put(place, times);
  }

  /** Returns what a task is told at each place. */
  FaultInjector faults() {
    return new Faults();
  }

  /** Returns what gives the local steps of a replica their time. */
  StepTime timeOf(Task task) {
    return new StepTime(
        task, chance.at(task.vertex()).at(task.index()), times.longestStep(task.index()));
  }

  private void reach(FaultInjector.Place place, int subtask) {
    Long left = armed.get(place);
    if (left == null) {
      return;
    }
    if (left == 0) {
      armed.remove(place);
      throw new InjectedException(place + " of " + subtask);
    }
    armed.put(place, left - 1);
  }

  private final class Faults implements FaultInjector {

    private static final long serialVersionUID = 1;

    @Override
    public void reach(Place place, int subtask) {
      Steps.this.reach(place, subtask);
    }

    @Override
    public boolean handsOver() {
      return handsOver;
    }
  }
}
