package dev.millrace.simulate;

import dev.millrace.simulate.job.Defect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Leaves faults out of a failing run for as long as the same invariant fails (delta debugging,
 * Zeller and Hildebrandt 2002).
 */
final class Shrinker {

  private final long seed;
  private final String invariant;
  private final Supplier<Defect> defect;
  private final long deadline;

  /**
   * Makes one for a failing run.
   *
   * @param defect of each run anew
   * @param nanos that it may take
   */
  Shrinker(long seed, String invariant, Supplier<Defect> defect, long nanos) {
    this.seed = seed;
    this.invariant = invariant;
    this.defect = defect;
    this.deadline = System.nanoTime() + nanos;
  }

  /** Returns as few faults as it finds, of these. */
  List<Integer> shrink(List<Integer> faults) {
    List<Integer> left = faults;
    for (int parts = 2; left.size() > 0 && System.nanoTime() < deadline; ) {
      List<Integer> fewer = without(left, parts);
      if (fewer != null) {
        left = fewer;
        parts = Math.max(2, parts - 1);
      } else if (parts >= left.size()) {
        break;
      } else {
        parts = Math.min(left.size(), 2 * parts);
      }
    }
    return left;
  }

  /** Returns what is left without one of so many parts; null where every part is needed. */
  private List<Integer> without(List<Integer> faults, int parts) {
    int size = (faults.size() + parts - 1) / parts;
    // The last ones may come after the failure.
    for (int from = size * (parts - 1); from >= 0; from -= size) {
      List<Integer> left = new ArrayList<>(faults);
      left.subList(Math.min(from, left.size()), Math.min(from + size, left.size())).clear();
      if (left.size() < faults.size() && System.nanoTime() < deadline && fails(left)) {
        return left;
      }
    }
    return null;
  }

  private boolean fails(List<Integer> faults) {
    Set<Integer> kept = new HashSet<>(faults);
    Run.Result result = new Run(seed, kept::contains, defect.get(), null).run();
    return result.violationOrNull() != null
        && result.violationOrNull().invariant().equals(invariant);
  }
}
