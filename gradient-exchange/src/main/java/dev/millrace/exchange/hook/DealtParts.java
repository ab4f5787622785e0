package dev.millrace.exchange.hook;

import dev.millrace.exchange.log.PartRun;
import java.util.ArrayList;
import java.util.List;

/**
 * What a replica gets back of what a hook kept: its own parts, or those of others.
 *
 * @param hook see {@link HookState#name}
 * @param origins of the parts, in their order
 */
public record DealtParts(String hook, List<HookOrigin> origins) {

  public DealtParts {
    origins = List.copyOf(origins);
  }

  /** Returns the parts in runs of those that one replica had saved one behind the other. */
  public List<PartRun> runs() {
    List<PartRun> runs = new ArrayList<>();
    int first = 0;
    for (int next = 1; next <= origins.size(); next++) {
      HookOrigin origin = origins.get(first);
      int count = next - first;
      if (next == origins.size()
          || origins.get(next).replica() != origin.replica()
          || origins.get(next).part() != origin.part() + count) {
        runs.add(new PartRun(origin.replica(), origin.part(), count));
        first = next;
      }
    }
    return runs;
  }
}
