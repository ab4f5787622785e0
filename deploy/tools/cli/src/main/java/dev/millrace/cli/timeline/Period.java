package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineRound.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A replica's time from one contribution to the next, placed on the clock.
 *
 * @param round that its contribution is in
 * @param start milliseconds since the epoch
 */
record Period(TimelineRound round, Member member, PhaseTimes times, double start) {

  double end() {
    return start + times.total();
  }

  /** Periods of rounds that no restart is between: by replica, in their order. */
  static List<Period> of(List<TimelineRound> rounds, boolean overlapping) {
    Map<Integer, List<Entry>> chains = new HashMap<>();
    List<Period> periods = new ArrayList<>();
    for (TimelineRound round : rounds) {
      for (Member member : round.members()) {
        List<Entry> chain = chains.computeIfAbsent(member.replica(), replica -> new ArrayList<>());
        if (!chain.isEmpty() && !chain.get(chain.size() - 1).isBefore(member)) {
          place(chain, overlapping, periods);
          chain.clear();
        }
        chain.add(new Entry(round, member));
      }
    }
    chains.values().forEach(chain -> place(chain, overlapping, periods));
    return periods;
  }

  private record Entry(TimelineRound round, Member member) {

    private boolean isBefore(Member later) {
      return member.sequence() + 1 == later.sequence();
    }
  }

  /**
   * Periods of one replica follow each other without a gap. The chain is placed by what is known of
   * when contributions arrived: when their round was closed, less the wait that the replica's next
   * record has; on average, because that is in whole milliseconds.
   */
  private static void place(List<Entry> chain, boolean overlapping, List<Period> periods) {
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
      periods.add(
          new Period(
              entry.round(), entry.member(), PhaseTimes.of(entry.member(), overlapping), start));
      start += entry.member().elapsed();
    }
  }
}
