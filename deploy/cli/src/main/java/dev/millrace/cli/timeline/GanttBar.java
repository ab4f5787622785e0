package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineRound.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When a replica did what a round's record tells of it.
 *
 * @param round that its contribution is in
 * @param start milliseconds since the epoch
 */
record GanttBar(TimelineRound round, Member member, PhaseTimes times, double start) {

  double end() {
    return start + times.total();
  }

  /** Bars of rounds that no restart is between, in their order. */
  static List<GanttBar> of(List<TimelineRound> rounds, boolean overlapping) {
    Map<Integer, List<Entry>> chains = new HashMap<>();
    List<GanttBar> bars = new ArrayList<>();
    for (TimelineRound round : rounds) {
      for (Member member : round.members()) {
        List<Entry> chain = chains.computeIfAbsent(member.replica(), replica -> new ArrayList<>());
        if (!chain.isEmpty() && !chain.get(chain.size() - 1).isBefore(member)) {
          place(chain, overlapping, bars);
          chain.clear();
        }
        chain.add(new Entry(round, member));
      }
    }
    chains.values().forEach(chain -> place(chain, overlapping, bars));
    return bars;
  }

  private record Entry(TimelineRound round, Member member) {

    private boolean isBefore(Member later) {
      return member.sequence() + 1 == later.sequence();
    }
  }

  /**
   * Periods of one replica follow each other without a gap. The chain is placed by what is known of
   * when contributions arrived: when their round was closed, less the wait that the replica's next
   * record tells; on average, because that is in whole milliseconds.
   */
  private static void place(List<Entry> chain, boolean overlapping, List<GanttBar> bars) {
    double length = 0;
    double sum = 0;
    int known = 0;
    for (int i = 0; i < chain.size(); i++) {
      Entry entry = chain.get(i);
      length += entry.member().elapsed();
      boolean last = i == chain.size() - 1;
      if (!last || known == 0) {
        double waited = last ? 0 : chain.get(i + 1).member().waited();
        sum += entry.round().time() - waited - length;
        known++;
      }
    }
    double start = sum / Math.max(1, known);
    for (Entry entry : chain) {
      bars.add(
          new GanttBar(
              entry.round(), entry.member(), PhaseTimes.of(entry.member(), overlapping), start));
      start += entry.member().elapsed();
    }
  }
}
