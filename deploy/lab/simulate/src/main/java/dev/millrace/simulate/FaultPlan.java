package dev.millrace.simulate;

import dev.millrace.simulate.time.Chance;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

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
   * Makes the plan of a run. In some runs faults end early: what the last one broke stays broken.
   *
   * @param end none strikes later
   * @param kept which of them strike
   */
  static FaultPlan of(long seed, long end, IntPredicate kept) {
    return new FaultPlan(new Chance(seed).at("faults"), end, kept);
  }

  /** Returns these faults of a run, in words. */
  static String words(long seed, List<Integer> numbers) {
    FaultPlan plan = of(seed, Long.MAX_VALUE / 2, numbers::contains);
    return numbers.stream().map(any -> plan.next().words()).collect(Collectors.joining(", "));
  }

  private FaultPlan(Chance chance, long end, IntPredicate kept) {
    this.chance = chance;
    this.kept = kept;
    this.interval = chance.anyScale(12 * SECOND, 90 * SECOND);
    this.end = chance.says(0.3) ? Math.min(end, chance.anyScale(60 * SECOND, 7_200 * SECOND)) : end;
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
