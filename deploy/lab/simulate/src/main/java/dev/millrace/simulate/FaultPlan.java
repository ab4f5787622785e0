package dev.millrace.simulate;

import dev.millrace.simulate.time.Chance;
import java.util.function.IntPredicate;

/** The faults of a run, one after another: a seed's are always the same. */
final class FaultPlan {

  private static final long SECOND = 1_000_000;

  private final Chance chance;
  private final IntPredicate kept;
  private final long interval;
  private final long end;
  private int number;
  private long time;

  /**
   * Makes the plan of a run.
   *
   * @param kept which of them strike
   * @param end none strikes later
   */
  FaultPlan(Chance chance, long end, IntPredicate kept) {
    this.chance = chance;
    this.kept = kept;
    this.end = end;
    this.interval = chance.anyScale(8 * SECOND, 60 * SECOND);
  }

  /** Returns the next one; null if there is none. */
  Fault next() {
    while (true) {
      Chance own = chance.at(number);
      time += own.between(1, 2 * interval);
      if (time > end) {
        return null;
      }
      Fault fault =
          new Fault(
              number++,
              time,
              Fault.Kind.draw(own),
              own.below(1 << 20),
              own.anyScale(SECOND / 10, 120 * SECOND));
      if (kept.test(fault.number())) {
        return fault;
      }
    }
  }
}
